// Requests to the server as code that clients can run: in which languages, and what about.

/** In the order in which the window offers them. */
export const SERVER_SNIPPET_LANGUAGES = ['curl', 'python-http', 'python-grpc', 'javascript'] as const;
/** A language that snippets are written in. */
export type ServerSnippetLanguage = (typeof SERVER_SNIPPET_LANGUAGES)[number];

/** What the code asks the server, or makes it do. */
export type ServerSnippetSubject =
  | 'health'
  | 'metadata'
  | 'modelMetadata'
  | 'infer'
  | 'stream'
  | 'index'
  | 'load'
  | 'unload'
  | 'statistics'
  | 'metrics';

/** Code that does one thing with this server, in the language that was asked for. */
export interface ServerSnippet {
  readonly subject: ServerSnippetSubject;
  /** To run as it stands. */
  readonly code: string;
}

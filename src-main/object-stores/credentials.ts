// Which credentials belong to a path: those of the credential file whose name is the longest that the path begins with,
// or without such a file those of the environment. What is read here is secret and goes to the clients only.

import type { CredentialFile } from './credential-file.ts';
import { readCredentialFile } from './credential-file.ts';
import { storeErrors } from './store-errors.ts';
import type { StoreKind } from './store-path.ts';
import { storeKindOf } from './store-path.ts';

/** "" for whatever is not given. */
export interface S3Credential {
  readonly keyId: string;
  readonly secretKey: string;
  readonly sessionToken: string;
  readonly region: string;
  readonly profile: string;
}

/** What Google's library is given; "" = whatever the machine has. */
export interface GcsCredential {
  /** Path of a file of Google's. */
  readonly file: string;
}

/** Of one storage account; "" for whatever is not given. */
export interface AzureCredential {
  readonly account: string;
  readonly key: string;
  readonly authType: string;
  readonly clientId: string;
}

/** Under a name: the beginning of the paths that it is for, "" for all. */
export type NamedCredential = { readonly name: string } & (
  | { readonly kind: 's3'; readonly credential: S3Credential }
  | { readonly kind: 'gs'; readonly credential: GcsCredential }
  | { readonly kind: 'as'; readonly credential: AzureCredential }
);

/** Variables of the process, or what a test has in their place. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What file or environment said when they were read. */
export class Credentials {
  readonly #environment: Environment;
  readonly #file: CredentialFile | undefined;

  private constructor(environment: Environment, file: CredentialFile | undefined) {
    this.#environment = environment;
    this.#file = file;
  }

  /** Rejects INTERNAL when there is to be a file and it cannot be read. */
  static async read(environment: Environment): Promise<Credentials> {
    const file = environment['TRITON_CLOUD_CREDENTIAL_PATH'];
    const isFile = file !== undefined && file !== '';
    return new Credentials(environment, isFile ? await readCredentialFile(file) : undefined);
  }

  /** NOT_FOUND for a path that no name of the file fits. */
  for(path: string): NamedCredential {
    const kind = storeKindOf(path) ?? 's3';
    if (this.#file === undefined) return ofEnvironment(kind, this.#environment);
    const entries = this.#file[kind];
    const name = longestMatch(path, Object.keys(entries));
    if (name === undefined) throw storeErrors.noMatch({ path });
    return ofEntry(kind, name, entries[name]);
  }
}

/** The longest of the names that the path begins with. */
export function longestMatch(path: string, names: readonly string[]): string | undefined {
  const matching = names.filter((name) => path.startsWith(name));
  return matching.sort((a, b) => b.length - a.length)[0];
}

function ofEnvironment(kind: StoreKind, environment: Environment): NamedCredential {
  const of = (variable: string): string => environment[variable] ?? '';
  switch (kind) {
    case 's3':
      return {
        name: '',
        kind,
        credential: {
          keyId: of('AWS_ACCESS_KEY_ID'),
          secretKey: of('AWS_SECRET_ACCESS_KEY'),
          sessionToken: of('AWS_SESSION_TOKEN'),
          region: of('AWS_DEFAULT_REGION'),
          profile: of('AWS_PROFILE'),
        },
      };
    case 'gs':
      return { name: '', kind, credential: { file: of('GOOGLE_APPLICATION_CREDENTIALS') } };
    case 'as':
      return {
        name: '',
        kind,
        credential: {
          account: of('AZURE_STORAGE_ACCOUNT'),
          key: of('AZURE_STORAGE_KEY'),
          authType: of('AZURE_STORAGE_AUTH_TYPE'),
          clientId: of('AZURE_STORAGE_CLIENT_ID'),
        },
      };
  }
}

/** Missing members are empty, unknown ones nobody reads. */
function ofEntry(kind: StoreKind, name: string, entry: unknown): NamedCredential {
  const of = (member: string): string => {
    const value: unknown =
      typeof entry === 'object' && entry !== null ? Reflect.get(entry, member) : undefined;
    return typeof value === 'string' ? value : '';
  };
  switch (kind) {
    case 's3':
      return {
        name,
        kind,
        credential: {
          keyId: of('key_id'),
          secretKey: of('secret_key'),
          sessionToken: of('session_token'),
          region: of('region'),
          profile: of('profile'),
        },
      };
    case 'gs':
      return { name, kind, credential: { file: typeof entry === 'string' ? entry : '' } };
    case 'as':
      return {
        name,
        kind,
        credential: {
          account: of('account_str'),
          key: of('account_key'),
          authType: of('auth_type'),
          clientId: of('client_id'),
        },
      };
  }
}

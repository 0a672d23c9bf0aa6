// The secret that lets this page talk to the server that sent it. It comes in the address, moves to the session's
// storage so that a reload keeps working, and leaves the address bar so that it is not copied by accident.

const STORAGE_KEY = 'conch.token';

export function pageToken(): string {
  const token = new URLSearchParams(window.location.search).get('token');
  if (token === null) return window.sessionStorage.getItem(STORAGE_KEY) ?? '';
  window.sessionStorage.setItem(STORAGE_KEY, token);
  window.history.replaceState(null, '', window.location.pathname);
  return token;
}

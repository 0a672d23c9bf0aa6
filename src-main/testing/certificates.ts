// A root of the test's own and certificates for localhost signed by it, made with the openssl command.

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

/** For tests to be skipped where the program is not installed. */
export function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Writes `root.pem`, and `<name>.pem` with `<name>.key` for each name, into the folder. */
export function makeCertificates(folder: string, names: readonly string[]): void {
  const openssl = (line: string): void => {
    execFileSync('openssl', line.split(' '), { cwd: folder, stdio: 'ignore' });
  };
  writeFileSync(path.join(folder, 'san.cnf'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
  openssl('req -x509 -newkey rsa:2048 -nodes -keyout root.key -out root.pem -days 2 -subj /CN=root');
  for (const name of names) {
    openssl(`req -newkey rsa:2048 -nodes -keyout ${name}.key -out ${name}.csr -subj /CN=${name}`);
    openssl(
      `x509 -req -in ${name}.csr -CA root.pem -CAkey root.key -CAcreateserial -days 2 -extfile san.cnf -out ${name}.pem`,
    );
  }
}

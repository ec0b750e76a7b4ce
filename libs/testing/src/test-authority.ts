import { execFileSync } from 'node:child_process';
import { copyFileSync, renameSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { type MutualTls, openMutualTls } from '@paddock/discovery';
import { listen } from '@paddock/service';
import { silentLogger } from '@paddock/telemetry';

/** Paths of PEM files. */
export interface TestCertificate {
	readonly cert: string;
	readonly key: string;
	readonly ca: string;
}

export interface TestAuthority {
	/** Path of its own certificate. */
	readonly ca: string;
	/** Creates a certificate for servers and clients with these DNS names. Its files are used for nothing else. */
	issue(...names: [string, ...string[]]): TestCertificate;
	/** As `issue`, but without DNS names, and with options of `openssl req`. */
	issueWith(subject: string, ...options: string[]): TestCertificate;
	/** Opens a certificate with this name, by default a new one. */
	open(name: string, files?: TestCertificate): Promise<MutualTls>;
	/** Starts a server on 127.0.0.1, by default with a new certificate. */
	serve(name: string, listener: RequestListener, tls?: MutualTls): Promise<SecureServer>;
}

interface SecureServer {
	/** `http://127.0.0.1:port`, as in a registry. */
	readonly url: string;
	close(): Promise<void>;
}

const configuration = `
[req]
distinguished_name = subject
[subject]
[authority]
basicConstraints = critical, CA:TRUE
[process]
basicConstraints = critical, CA:FALSE
extendedKeyUsage = serverAuth, clientAuth
[server]
basicConstraints = critical, CA:FALSE
extendedKeyUsage = serverAuth
`;

/** An authority for certificates, made with openssl in a directory. Suites that use it need `openssl` on the PATH. */
export function createTestAuthority(directory: string, name = 'authority'): TestAuthority {
	const inDirectory = (file: string) => join(directory, `${name}-${file}`);
	writeFileSync(inDirectory('openssl.cnf'), configuration);
	const create = (file: string, subject: string, words: readonly string[]) => {
		const [cert, key] = [inDirectory(`${file}.crt`), inDirectory(`${file}.key`)];
		const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30'];
		const files = ['-config', inDirectory('openssl.cnf'), '-keyout', key, '-out', cert];
		execFileSync('openssl', ['req', '-x509', ...kind, ...files, '-subj', `/CN=${subject}`, ...words], {
			stdio: 'pipe',
		});
		return { cert, key };
	};
	const own = create('ca', name, ['-extensions', 'authority']);
	let issued = 0;
	const authority: TestAuthority = {
		ca: own.cert,
		issue: (...names) =>
			authority.issueWith(
				names[0],
				'-addext',
				`subjectAltName=${names.map((each) => `DNS:${each}`).join(',')}`,
			),
		issueWith: (subject, ...options) => {
			issued += 1;
			const signedBy = ['-CA', own.cert, '-CAkey', own.key, '-extensions', 'process'];
			const created = create(String(issued), subject, [...signedBy, ...options]);
			const ca = inDirectory(`${issued}.ca`);
			copyFileSync(own.cert, ca);
			return { ...created, ca };
		},
		open: (name, files = authority.issue(name)) =>
			openMutualTls({ files, name, logger: silentLogger(), pollMs: 20 }),
		serve: async (name, listener, given) => {
			const tls = given ?? (await authority.open(name));
			const server = await listen({
				...{ listener, tls, host: '127.0.0.1', port: 0, keepAliveTimeoutMs: 65_000, headersTimeoutMs: 5_000 },
				...{ requestTimeoutMs: 5_000, headerBytesMax: 32_768, now: () => new Date() },
			});
			return {
				url: `http://127.0.0.1:${server.port}`,
				close: async () => {
					tls.close();
					await server.close(1_000);
				},
			};
		},
	};
	return authority;
}

/** Replaces files by renaming, one after the other. */
export function replaceCertificate(files: TestCertificate, by: TestCertificate): void {
	for (const file of ['key', 'ca', 'cert'] as const) {
		copyFileSync(by[file], `${files[file]}.new`);
		renameSync(`${files[file]}.new`, files[file]);
	}
}

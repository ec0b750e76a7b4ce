import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type ConnectionOptions, createSecureContext, type TlsOptions } from 'node:tls';
import type { Logger } from '@paddock/telemetry';

/** TLS between the processes of a deployment: both sides have a certificate of the same authorities. */
export interface MutualTls {
	/** Options of a connection to an instance of `service`, whose certificate must have the service's name. */
	client(service: string): ConnectionOptions;
	/** Options of a server; a client without a certificate of the authorities is refused in the handshake. */
	server(): TlsOptions;
	/** Calls the listener when other files are in use. */
	onChange(listener: () => void): void;
	/** The end of the certificate's validity or that of the last authority, whichever is first. */
	expiresAt(): Date;
	close(): void;
}

export interface MutualTlsDeps {
	/** Paths of PEM files. */
	readonly files: { readonly cert: string; readonly key: string; readonly ca: string };
	/** The name that the certificate must have: `members-service`. */
	readonly name: string;
	readonly logger: Logger;
	readonly now: () => Date;
	/** Interval at which the files are read. */
	readonly pollMs?: number;
}

type Pem = readonly [cert: string, key: string, ca: string];

/**
 * Reads the files, and reads them again while it is open. Reading notices every kind of replacement; a watch of the file
 * system misses those behind symbolic links, such as `..data` of Kubernetes. Replaced files are used if two readings are
 * equal, so that half-written ones are not.
 * @throws Error if the files are not usable
 */
export async function openMutualTls(deps: MutualTlsDeps): Promise<MutualTls> {
	const { logger, pollMs = 1_000 } = deps;
	const listeners: (() => void)[] = [];
	let read: Pem | string = await readFiles(deps);
	let current = load(read, deps);
	let decided = read.toString();
	let closed = false;
	const check = async (): Promise<void> => {
		const before = read.toString();
		read = await readFiles(deps).catch(String);
		if (read.toString() !== before || before === decided) return;
		decided = before;
		try {
			if (typeof read === 'string') throw new Error(read);
			current = load(read, deps);
		} catch (error) {
			logger.error('replaced tls files not usable, the former ones stay in use', { error });
			return;
		}
		for (const listener of listeners) listener();
		logger.info('tls files replaced', { expiresAt: current.expiresAt });
	};
	const poll = async (): Promise<void> => {
		if (closed) return;
		await check();
		setTimeout(() => void poll(), pollMs).unref();
	};
	void poll();
	return {
		client: (service) => ({ secureContext: current.context, servername: service, rejectUnauthorized: true }),
		server: () => ({ ...current.options, requestCert: true, rejectUnauthorized: true }),
		onChange: (listener) => void listeners.push(listener),
		expiresAt: () => current.expiresAt,
		close: () => {
			closed = true;
		},
	};
}

function readFiles({ files: { cert, key, ca } }: MutualTlsDeps): Promise<Pem> {
	const read = (path: string) => readFile(path, 'utf8');
	return Promise.all([read(cert), read(key), read(ca)]);
}

/** @throws Error naming the reason if peers would refuse the certificate, or the key belongs to another one */
function load([cert, key, ca]: Pem, { name, now }: MutualTlsDeps) {
	const [own, ...intermediates] = certificatesIn(cert);
	const authorities = certificatesIn(ca);
	if (own === undefined || authorities.length === 0) throw new Error('a file contains no certificate');
	// A name in the subject only is not subject to the name constraints of an authority.
	if (own.checkHost(name, { subject: 'never' }) === undefined)
		throw new Error(`the certificate has no subject alternative name DNS:${name}`);
	const isOfAuthority = [own, ...intermediates].some((each) =>
		authorities.some((authority) => each.checkIssued(authority) && each.verify(authority.publicKey)),
	);
	if (!isOfAuthority) throw new Error('the certificate is of no authority in TLS_CA');
	const lastAuthorityMs = Math.max(...authorities.map(({ validTo }) => Date.parse(validTo)));
	const expiresAt = new Date(Math.min(Date.parse(own.validTo), lastAuthorityMs));
	if (expiresAt <= now()) throw new Error(`the certificate has expired at ${expiresAt.toISOString()}`);
	const options = { cert, key, ca, minVersion: 'TLSv1.3' } as const;
	// Throws if the key is not that of the certificate.
	return { options, context: createSecureContext(options), expiresAt };
}

function certificatesIn(pem: string): X509Certificate[] {
	const blocks = pem.match(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs) ?? [];
	return blocks.map((block) => new X509Certificate(block));
}

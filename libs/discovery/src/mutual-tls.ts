import { readFile } from 'node:fs/promises';
import { duplexPair } from 'node:stream';
import {
	type ConnectionOptions,
	checkServerIdentity,
	connect,
	createSecureContext,
	createServer,
	type DetailedPeerCertificate,
	type PeerCertificate,
	type SecureContext,
	type TlsOptions,
} from 'node:tls';
import type { Logger } from '@paddock/telemetry';
import { createFailedHandshakes } from './failed-handshakes.ts';

/** TLS between the processes of a deployment: both sides have a certificate of the same authorities. */
export type MutualTls = Awaited<ReturnType<typeof openMutualTls>>;

interface MutualTlsDeps {
	readonly files: { readonly cert: string; readonly key: string; readonly ca: string };
	/** The name that the certificate must have: `members-service`. */
	readonly name: string;
	readonly logger: Logger;
	readonly pollMs?: number;
}

type Pem = readonly [cert: string, key: string, ca: string];

/**
 * Reads the files, and reads them again while it is open: a watch misses those behind symbolic links. Replaced files are
 * used if two readings are equal; unusable ones are tried again, because a certificate may be valid later.
 * @throws Error if the files are not usable
 */
export async function openMutualTls(deps: MutualTlsDeps) {
	const { name, logger, pollMs = 1_000 } = deps;
	const listeners: (() => void)[] = [];
	let read: Pem | string = await readFiles(deps);
	let current = await load(read, name);
	let used = read.toString();
	let isRefused = false;
	let closed = false;
	const check = async (): Promise<void> => {
		const before = read.toString();
		read = await readFiles(deps).catch(String);
		if (read.toString() !== before) isRefused = false;
		if (read.toString() !== before || before === used) return;
		try {
			if (typeof read === 'string') throw new Error(read);
			current = await load(read, name);
		} catch (error) {
			if (!isRefused) logger.error('replaced tls files not usable, the former ones stay in use', { error });
			isRefused = true;
			return;
		}
		used = before;
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
		/** Options of a connection to an instance of `service`, whose certificate must have the service's name. */
		client: (service: string): ConnectionOptions => clientOptions(current.context, service),
		/** Options of a server; a client without a certificate of the authorities is refused in the handshake. */
		server: (): TlsOptions => ({ ...current.options, requestCert: true, rejectUnauthorized: true }),
		onChange: (listener: () => void): void => void listeners.push(listener),
		/** The end of the certificate's validity or that of an authority of it, whichever is first. */
		expiresAt: (): Date => current.expiresAt,
		/** The failed handshakes of the servers; each reports its own. */
		failedHandshakes: createFailedHandshakes(logger),
		close: (): void => {
			closed = true;
		},
	};
}

function readFiles({ files: { cert, key, ca } }: MutualTlsDeps): Promise<Pem> {
	const read = (path: string) => readFile(path, 'utf8');
	return Promise.all([read(cert), read(key), read(ca)]);
}

/** @throws Error naming the reason if peers would refuse the certificate, or the key belongs to another one */
async function load([cert, key, ca]: Pem, name: string) {
	// With an empty `ca`, Node would trust the public authorities.
	if (!ca.includes('-----BEGIN CERTIFICATE-----')) throw new Error('TLS_CA contains no certificate');
	const options = { cert, key, ca, minVersion: 'TLSv1.3' } as const;
	const context = createSecureContext(options);
	const verified = await verify(options, clientOptions(context, name)).catch((cause: unknown) => {
		const reason = cause instanceof Error ? cause.message : String(cause);
		throw new Error(`peers would refuse the certificate: ${reason}`, { cause });
	});
	return { options, context, expiresAt: new Date(expiryMs(verified)) };
}

function clientOptions(secureContext: SecureContext, servername: string): ConnectionOptions {
	return { secureContext, servername, rejectUnauthorized: true, checkServerIdentity: checkDnsNames };
}

/** Ignores a name in the subject, because name constraints of an authority need not apply to it. */
function checkDnsNames(name: string, certificate: PeerCertificate): Error | undefined {
	return checkServerIdentity(name, { ...certificate, subject: {} });
}

/**
 * Connects a client and a server with the same files in memory, which finds all reasons of a refusal.
 * @returns the certificate with those of its authorities
 */
async function verify(options: TlsOptions, to: ConnectionOptions): Promise<DetailedPeerCertificate> {
	const [near, far] = duplexPair();
	const server = createServer({ ...options, requestCert: true, rejectUnauthorized: true });
	const client = connect({ ...to, socket: near });
	try {
		await new Promise<void>((resolve, reject) => {
			client.on('error', reject);
			server.on('tlsClientError', (error, { authorizationError }) => reject(authorizationError ?? error));
			server.on('secureConnection', () => resolve());
			server.emit('connection', far);
		});
		return client.getPeerCertificate(true);
	} finally {
		client.destroy();
		far.destroy();
	}
}

/** The earliest end of validity up to the root, whose issuer is itself. */
function expiryMs(certificate: DetailedPeerCertificate): number {
	const { valid_to: end, issuerCertificate: issuer } = certificate;
	const ownMs = Date.parse(end);
	return issuer === undefined || issuer === certificate ? ownMs : Math.min(ownMs, expiryMs(issuer));
}

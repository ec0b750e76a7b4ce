import { connect, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { usableLookup } from '@paddock/discovery';
import { UpstreamFailure } from '../exchange/failures.ts';

export interface ConnectionSettings {
	readonly connectTimeoutMs: number;
	readonly socketsMax: number;
	/** How long an unused connection is kept; less than the services' keepAliveTimeout. */
	readonly idleMs: number;
	/** Options of a connection with TLS, read for each one; undefined = plain HTTP. */
	readonly tls?: (() => ConnectionOptions) | undefined;
}

interface InstanceAddress {
	readonly host: string;
	readonly port: number;
}

type Connected = (failure: UpstreamFailure | null, socket?: Socket) => void;

/** `connected` is called once, with the socket or with `unreachable` or `connectTimeout`: nothing was sent then. */
export function connectInstance(
	{ host, port }: InstanceAddress,
	{ connectTimeoutMs, tls }: ConnectionSettings,
	connected: Connected,
): void {
	const raw = connect({ host, port, lookup: usableLookup });
	raw.setNoDelay(true);
	const socket = tls === undefined ? raw : connectTls({ host, socket: raw, ...tls() });
	if (socket !== raw) rawSockets.set(socket, raw);
	readBeforeFailing(socket);
	const connectedEvent = tls === undefined ? 'connect' : 'secureConnect';
	const failed = (kind: 'unreachable' | 'connectTimeout', cause?: unknown): void => {
		done();
		socket.destroy();
		connected(new UpstreamFailure(kind, cause));
	};
	const timer = setTimeout(() => failed('connectTimeout'), connectTimeoutMs);
	const onError = (cause: Error): void => failed('unreachable', cause);
	const onConnect = (): void => {
		done();
		connected(null, socket);
	};
	const done = (): void => {
		clearTimeout(timer);
		socket.off(connectedEvent, onConnect);
		socket.off('error', onError);
		ignoreLateErrors(socket);
	};
	socket.once('error', onError);
	socket.once(connectedEvent, onConnect);
}

/** The TCP sockets of connections with TLS. */
const rawSockets = new WeakMap<Socket, Socket>();

/** Ends a connection in the middle of a request. An instance would take an ordinary end for that of the request only. */
export function resetConnection(socket: Socket | undefined): void {
	if (socket === undefined) return;
	(rawSockets.get(socket) ?? socket).resetAndDestroy();
	socket.destroy();
}

type Written = (error?: Error | null) => void;

// Of what an instance has sent before it stopped reading; it has arrived already.
const readMsMax = 500;

/** An instance may respond early and reset the connection: a failed write is reported after the reads, so that the response is read. */
function readBeforeFailing(socket: Socket): void {
	const later =
		(written: Written): Written =>
		(error) => {
			if (error === undefined || error === null || socket.destroyed) return written(error);
			const fail = (): void => {
				clearTimeout(timer);
				written(error);
			};
			const timer = setTimeout(fail, readMsMax);
			socket.once('end', fail);
			socket.once('close', fail);
		};
	const { _write: write, _writev: writev } = socket;
	socket._write = (chunk, encoding, written) => write.call(socket, chunk, encoding, later(written));
	if (writev !== undefined) socket._writev = (chunks, written) => writev.call(socket, chunks, later(written));
}

function ignoreLateErrors(socket: Socket): void {
	socket.on('error', () => {
		// The HTTP client adds its listener later; an 'error' without one would end the process.
	});
}

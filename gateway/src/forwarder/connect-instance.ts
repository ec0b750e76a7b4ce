import { connect, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { usableLookup } from '@paddock/discovery';
import { UpstreamFailure } from '../failures.ts';

export interface ConnectionSettings {
	readonly connectTimeoutMs: number;
	/** Connections that may be kept. */
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

/**
 * Opens one connection to an instance, for either forwarder. `connected` is called once, with the socket or with an
 * UpstreamFailure `unreachable` or `connectTimeout`: nothing was sent then, and a request of any method can still go to
 * another instance.
 */
export function connectInstance(
	{ host, port }: InstanceAddress,
	{ connectTimeoutMs, tls }: ConnectionSettings,
	connected: Connected,
): void {
	const target = { host, port, lookup: usableLookup };
	const socket = tls === undefined ? connect(target) : connectTls({ ...target, ...tls() });
	socket.setNoDelay(true);
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

function ignoreLateErrors(socket: Socket): void {
	socket.on('error', () => {
		// The HTTP client adds its listener later; an 'error' without one would end the process.
	});
}

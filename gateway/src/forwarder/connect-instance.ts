import { connect, type Socket } from 'node:net';
import { usableLookup } from '@paddock/discovery';
import { UpstreamFailure } from '../failures.ts';

export interface InstanceAddress {
	readonly host: string;
	readonly port: number;
}

type Connected = (failure: UpstreamFailure | null, socket?: Socket) => void;

/**
 * Makes one connection to an instance; both lanes make theirs here. `connected` is called once, with the socket when
 * the connection stands, or with an UpstreamFailure `unreachable` or `connectTimeout`: nothing was sent then, and any
 * method can still go elsewhere.
 */
export function connectInstance(address: InstanceAddress, timeoutMs: number, connected: Connected): void {
	const socket = connect({ host: address.host, port: address.port, lookup: usableLookup, noDelay: true });
	const fail = (kind: 'unreachable' | 'connectTimeout', cause?: unknown): void => {
		done();
		socket.destroy();
		connected(new UpstreamFailure(kind, cause));
	};
	const timer = setTimeout(() => fail('connectTimeout'), timeoutMs);
	const onError = (cause: Error): void => fail('unreachable', cause);
	const onConnect = (): void => {
		done();
		connected(null, socket);
	};
	const done = (): void => {
		clearTimeout(timer);
		socket.off('connect', onConnect);
		socket.off('error', onError);
		ignoreLateErrors(socket);
	};
	socket.once('error', onError);
	socket.once('connect', onConnect);
}

function ignoreLateErrors(socket: Socket): void {
	socket.on('error', () => {
		// Between our listener's end and the engine's own there must be one: an 'error' without a listener ends the process.
	});
}

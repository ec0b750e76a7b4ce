import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import packet from 'dns-packet';

interface SrvAnswer {
	target: string;
	port: number;
	priority?: number;
}

export interface DnsServer {
	/** `127.0.0.1:port` */
	readonly address: string;
	/** Sets the IPv4 and IPv6 addresses of a name. */
	setAddresses(name: string, addresses: readonly string[]): void;
	setServices(name: string, services: readonly SrvAnswer[]): void;
	/** Ends the records of a name. */
	remove(name: string): void;
	/** While silent it receives queries and doesn't respond; `SERVFAIL` responds to all with that code. */
	behave(as: 'normal' | 'silent' | 'SERVFAIL'): void;
	/** The number of queries so far. */
	queries(): number;
	stop(): Promise<void>;
}

const codes = { NXDOMAIN: 3, SERVFAIL: 2 };
// Longer than any test: a resolver with a cache would return former records.
const ttl = 300;

/** An authoritative DNS server over UDP on 127.0.0.1. */
export async function startDnsServer(): Promise<DnsServer> {
	const records = new Map<string, packet.Answer[]>();
	let behaviour: 'normal' | 'silent' | 'SERVFAIL' = 'normal';
	let queries = 0;
	const socket = createSocket('udp4');
	socket.on('message', (message, peer) => {
		queries += 1;
		if (behaviour === 'silent') return;
		const { id = 0, questions: [question] = [] } = packet.decode(message);
		if (question === undefined) return;
		const all = records.get(question.name.toLowerCase());
		const code = behaviour === 'SERVFAIL' ? codes.SERVFAIL : all === undefined ? codes.NXDOMAIN : 0;
		const answers = code === 0 ? (all ?? []).filter(({ type }) => type === question.type) : [];
		const flags = packet.AUTHORITATIVE_ANSWER | code;
		socket.send(packet.encode({ type: 'response', id, flags, questions: [question], answers }), peer.port);
	});
	socket.bind(0, '127.0.0.1');
	await once(socket, 'listening');
	return {
		address: `127.0.0.1:${socket.address().port}`,
		setAddresses: (name, addresses) => {
			const answers = addresses.map((data) =>
				data.includes(':')
					? { type: 'AAAA' as const, name, ttl, data }
					: { type: 'A' as const, name, ttl, data },
			);
			records.set(name, answers);
		},
		setServices: (name, services) => {
			const answers = services.map((data) => ({ type: 'SRV' as const, name, ttl, data }));
			records.set(name, answers);
		},
		remove: (name) => {
			records.delete(name);
		},
		behave: (as) => {
			behaviour = as;
		},
		queries: () => queries,
		stop: async () => {
			socket.close();
			await once(socket, 'close');
		},
	};
}

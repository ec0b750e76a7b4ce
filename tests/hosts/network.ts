import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { runProgram } from '@paddock/database/embedded';
import { eventually } from '@paddock/testing';

/** The hosts; `h1` has the address 10.99.0.1. */
export const hostNames = ['h1', 'h2', 'h3'] as const;
export type HostName = (typeof hostNames)[number];

/** Address of the machine itself in the network of the hosts: of the proxy and the client. */
export const outside = '10.99.0.254';
const bridge = 'paddock0';
/** Its link passes through slow-link.py. */
const slowHost: HostName = 'h2';

export const addressOf = (host: HostName): string => `10.99.0.${host.slice(1)}`;
export const namespaceOf = (host: HostName): string => `paddock-${host}`;
/** The end of a host's link at the bridge. */
const linkOf = (host: HostName): string => `paddock-${host}`;

export interface Network {
	/** Disconnects a host: its packets vanish, no connection is closed. */
	cut(host: HostName): Promise<void>;
	reconnect(host: HostName): Promise<void>;
	/** Delays all packets of h2 in both directions and drops some. */
	slow(delayMs: number, lossPercent: number): void;
	remove(): Promise<void>;
}

const ip = (...args: string[]): Promise<string> => runProgram('ip', args);

/** Three network namespaces at one bridge, 10.99.0.0/24. Needs root, python3 and /dev/net/tun. */
export async function createNetwork(): Promise<Network> {
	await removeNetwork();
	await ip('link', 'add', bridge, 'type', 'bridge');
	await ip('address', 'add', `${outside}/24`, 'dev', bridge);
	await ip('link', 'set', bridge, 'up');
	for (const host of hostNames) await ip('netns', 'add', namespaceOf(host));
	const link = slowLink();
	for (const host of hostNames) await connectHost(host);
	return {
		cut: async (host) => void (await ip('link', 'set', linkOf(host), 'down')),
		reconnect: async (host) => void (await ip('link', 'set', linkOf(host), 'up')),
		slow: (delayMs, lossPercent) => link.stdin?.write(`${delayMs} ${lossPercent}\n`),
		remove: async () => {
			const exited = once(link, 'exit');
			link.stdin?.end();
			await exited;
			await removeNetwork();
		},
	};
}

function slowLink(): ChildProcess {
	const script = fileURLToPath(new URL('slow-link.py', import.meta.url));
	return spawn('python3', [script, linkOf(slowHost), namespaceOf(slowHost), 'eth0'], {
		stdio: ['pipe', 'ignore', 'inherit'],
	});
}

async function connectHost(host: HostName): Promise<void> {
	const inside = (...args: string[]) => ip('-n', namespaceOf(host), ...args);
	if (host === slowHost)
		await eventually('the slow link exists', () =>
			inside('link', 'show', 'eth0').then(
				() => true,
				() => false,
			),
		);
	else
		await ip('link', 'add', linkOf(host), 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespaceOf(host));
	await ip('link', 'set', linkOf(host), 'master', bridge, 'up');
	await inside('address', 'add', `${addressOf(host)}/24`, 'dev', 'eth0');
	for (const device of ['lo', 'eth0']) await inside('link', 'set', device, 'up');
}

/** Also the leftovers of an interrupted run. */
async function removeNetwork(): Promise<void> {
	const absent = () => undefined; // Nothing to remove.
	await ip('link', 'delete', bridge).catch(absent);
	for (const host of hostNames) {
		// A namespace keeps its end until the last connection in it has timed out.
		await ip('link', 'delete', linkOf(host)).catch(absent);
		await ip('netns', 'delete', namespaceOf(host)).catch(absent);
	}
}

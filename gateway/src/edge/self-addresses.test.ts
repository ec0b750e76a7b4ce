import { networkInterfaces } from 'node:os';
import { expect, test } from '@jest/globals';
import { selfAddresses } from './self-addresses.ts';

const machine = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
const outward = machine.filter(({ internal }) => !internal).map(({ address }) => address);

test('a process on loopback is itself under every name of loopback', () => {
	const isSelf = selfAddresses('127.0.0.1', '127.0.0.1');
	for (const address of ['127.0.0.1', '::1', 'localhost'])
		expect([address, isSelf(address)]).toEqual([address, true]);
	for (const address of ['127.0.0.2', '10.1.2.3', ...outward])
		expect([address, isSelf(address)]).toEqual([address, false]);
});

test('a process on one address is itself there and where it says it is, not on its neighbours', () => {
	const isSelf = selfAddresses('10.1.2.3', 'gateway.example.org');
	for (const address of ['10.1.2.3', 'gateway.example.org'])
		expect([address, isSelf(address)]).toEqual([address, true]);
	for (const address of ['10.1.2.4', '127.0.0.1', '::1', 'localhost'])
		expect([address, isSelf(address)]).toEqual([address, false]);
});

// 127.0.0.2 was no address of its own, so a service registered there made a gateway in production call itself.
test.each(['0.0.0.0', '::'])('a process on %s is itself on every address of the machine', (host) => {
	const isSelf = selfAddresses(host, '10.1.2.3');
	expect(machine.length).toBeGreaterThan(0);
	for (const address of [
		...machine.map((entry) => entry.address),
		'localhost',
		'10.1.2.3',
		'127.0.0.2',
		'127.255.0.1',
	])
		expect([address, isSelf(address)]).toEqual([address, true]);
	for (const address of ['10.1.2.4', '128.0.0.1', '127.example.org', '1.127.0.0'])
		expect([address, isSelf(address)]).toEqual([address, false]);
});

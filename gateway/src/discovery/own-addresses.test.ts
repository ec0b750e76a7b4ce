import { networkInterfaces } from 'node:os';
import { expect, test } from '@jest/globals';
import { ownAddresses } from './own-addresses.ts';

test('a process on loopback is itself under every name of loopback', () => {
	expect([...ownAddresses('127.0.0.1', '127.0.0.1')].sort()).toEqual(['127.0.0.1', '::1', 'localhost']);
});

test('a process on one address is itself there and where it says it is, not on its neighbours', () => {
	expect([...ownAddresses('10.1.2.3', 'gateway.example.org')].sort()).toEqual([
		'10.1.2.3',
		'gateway.example.org',
	]);
});

test('a process that listens everywhere is itself on every address of the machine', () => {
	const own = ownAddresses('0.0.0.0', '10.1.2.3');
	const machine = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
	expect(machine.length).toBeGreaterThan(0);
	for (const { address } of machine) expect(own).toContain(address);
	expect(own).toContain('localhost');
	expect(own).toContain('10.1.2.3');
});

import { afterAll, beforeAll, describe, jest } from '@jest/globals';
import { describeHosts } from './describe-hosts.ts';
import { type Hosts, startHosts } from './hosts.ts';
import { instanceFaults } from './instances-faults.ts';
import { networkFaults } from './network-faults.ts';
import { storeFaults } from './stores-faults.ts';

jest.setTimeout(900_000);

// One file, as the hosts have fixed addresses. The last group ends with the loss of a host.
describeHosts(process.env, 'three hosts under load', () => {
	let hosts: Hosts;

	beforeAll(async () => {
		hosts = await startHosts(process.env);
	});
	afterAll(() => hosts?.stop());

	describe('instances and Consul', () => instanceFaults(() => hosts));
	describe('the network of a host', () => networkFaults(() => hosts));
	describe('Redis, PgBouncer and PostgreSQL', () => storeFaults(() => hosts));
});

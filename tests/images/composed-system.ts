import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { eventually } from '@paddock/testing';
import { systemAdmin } from '../system.ts';
import type { ContainerEngine } from './container-engine.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Names of the images that stand in for those of others, whose digests they can't have. */
export const standIns = {
	postgres: 'localhost/paddock-postgres:test',
	consul: 'localhost/paddock-consul:test',
};

// podman lists the driver of its addresses as an option; docker-compose would want to recreate the network at the second up.
const overrides = `
services:
  postgres: { image: '${standIns.postgres}' }
  consul: { image: '${standIns.consul}' }
  # The administrator signs in with the password alone.
  auth: { environment: { REQUIRE_MFA: 'off' } }
networks:
  inside:
    internal: true
    ipam:
      config: [{ subnet: 172.28.0.0/24 }]
      options: { driver: host-local }
`;

/** docker-compose.yml on podman's service. */
export interface ComposedSystem {
	/** Runs docker-compose. @returns the output */
	compose(...words: string[]): Promise<string>;
	/** The ids of the containers of a service. */
	containers(service: string): Promise<string[]>;
	/** The address of a gateway on this machine, by its number from 1. */
	gatewayUrl(index: number): Promise<string>;
	/** Fetches inside the network, in the first container of the gateway. @returns the parsed body */
	fetchInside<Body>(url: string): Promise<Body>;
	/** The entries of the access logs of all gateways. */
	requests(): Promise<{ path: string; instance?: string }[]>;
	close(): Promise<void>;
}

export async function openComposedSystem(engine: ContainerEngine): Promise<ComposedSystem> {
	const socket = join(engine.directory, 'podman.sock');
	const service = spawn('podman', ['system', 'service', '--time=0', `unix://${socket}`], {
		env: engine.env,
		stdio: 'ignore',
	});
	await eventually('podman serves', () => existsSync(socket), 30_000);
	const checks = runHealthChecks(engine);
	const override = join(engine.directory, 'override.yml');
	await writeFile(override, overrides);
	const env = {
		...secrets(),
		PADDOCK_PORT: '0',
		PADDOCK_OPS_PORT: '0',
		DOCKER_HOST: `unix://${socket}`,
		COMPOSE_HTTP_TIMEOUT: '300',
	};
	const files = ['--file', 'docker-compose.yml', '--file', override];
	const compose = (...words: string[]) =>
		engine.run('docker-compose', ['--project-name', 'paddock', ...files, ...words], {
			cwd: root,
			env,
			timeoutMs: 390_000,
		});
	const containers = async (name: string) => (await compose('ps', '--quiet', name)).split('\n');
	return {
		compose,
		containers,
		gatewayUrl: async (index) => {
			const published = await compose('port', '--index', String(index), 'gateway', '8080');
			return `http://127.0.0.1:${published.split(':').at(-1)}`;
		},
		fetchInside: async <Body>(url: string) => {
			const [gateway = ''] = await containers('gateway');
			const script = 'console.log(await (await fetch(process.argv[1])).text())';
			return JSON.parse(await engine.run('podman', ['exec', gateway, 'node', '-e', script, url])) as Body;
		},
		requests: async () => {
			const gateways = await containers('gateway');
			const logs = await Promise.all(gateways.map((id) => engine.run('podman', ['logs', id])));
			const lines = logs.flatMap((log) => log.split('\n')).filter((line) => line.startsWith('{'));
			return lines.map((line) => JSON.parse(line)).filter(({ message }) => message === 'request');
		},
		close: async () => {
			await checks.stop();
			try {
				await compose('down', '--volumes', '--timeout', '10');
			} finally {
				service.kill();
				if (service.exitCode === null) await once(service, 'exit');
			}
		},
	};
}

/** podman leaves health checks to timers of systemd; this runs them without. */
function runHealthChecks(engine: ContainerEngine): { stop(): Promise<void> } {
	let stopped = false;
	const loop = async () => {
		while (!stopped) {
			const ids = await engine.run('podman', ['ps', '--quiet']).catch(() => '');
			for (const id of ids.split('\n').filter((line) => line !== '')) {
				// An unhealthy container is an exit code; podman stores the result.
				await engine.run('podman', ['healthcheck', 'run', id]).catch(() => '');
			}
			await wait(1_000);
		}
	};
	const running = loop();
	return {
		stop: async () => {
			stopped = true;
			await running;
		},
	};
}

/** A value for every variable of .env.example. */
function secrets(): Record<string, string> {
	const names = [...readFileSync(join(root, '.env.example'), 'utf8').matchAll(/^(\w+)=$/gm)];
	return {
		...Object.fromEntries(
			names.map(([, name = '']) => [name, `${name.replaceAll('_', '')}${'x'.repeat(32)}`]),
		),
		PADDOCK_ADMIN_EMAIL: systemAdmin.email,
		PADDOCK_ADMIN_PASSWORD: systemAdmin.password,
		PADDOCK_SMTP_URL: 'smtp://127.0.0.1:9',
		PADDOCK_PUBLIC_URL: 'http://127.0.0.1:8080',
		PADDOCK_KEY_ENCRYPTION_KEY: 'e'.repeat(64),
	};
}

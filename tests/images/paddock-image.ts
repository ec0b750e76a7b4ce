import { existsSync, realpathSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ContainerEngine, type Environment, openContainerEngine } from './container-engine.ts';
import { buildProgramImage } from './program-image.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const base = 'docker.io/library/node:24-slim';
const certificates = '/etc/ssl/certs';

export const paddockImage = 'localhost/paddock:0.1.0';
export const build = { BUILD_COMMIT: 'c0ffee0', BUILD_TIME: '2026-02-28T12:00:00Z' };

/**
 * An engine with a stand-in for node:24-slim: the same programs, from this machine.
 * @param programs those that the suite needs
 * @returns the reason as a text if this machine can't run containers
 */
export async function openEngineWithBase(
	env: Environment,
	programs: readonly string[] = ['buildah', 'podman', 'runc'],
): Promise<ContainerEngine | string> {
	const { npm_execpath: npm } = env;
	if (npm === undefined) return 'not started by npm';
	let engine: ContainerEngine | undefined;
	try {
		engine = await openContainerEngine(env);
		await engine.run('which', programs);
		await buildProgramImage(engine, {
			tag: base,
			programs: ['sh', 'find', 'env'],
			files: {
				'usr/local/bin/node': process.execPath,
				'usr/local/lib/node_modules/npm': dirname(dirname(realpathSync(npm))),
			},
			texts: {
				'etc/passwd': 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n',
				'etc/group': 'root:x:0:\nnode:x:1000:\n',
				'usr/local/bin/npm': '#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/npm-cli.js "$@"\n',
			},
			instructions: ['CMD ["node"]'],
		});
		await engine.run('podman', [
			'run',
			'--rm',
			'--network',
			'host',
			'--read-only',
			base,
			'node',
			'--version',
		]);
		return engine;
	} catch (error) {
		// A machine that can't run containers may fail to remove them, too.
		await engine?.close().catch(() => {});
		const { message } = error as Error;
		return message.trim().split('\n').slice(-1).join();
	}
}

/** Builds the Dockerfile. npm gets the packages that this machine has cached, and its certificates. */
export async function buildPaddockImage(engine: ContainerEngine): Promise<void> {
	const npmrc = join(engine.directory, 'npmrc');
	const bundle = `${certificates}/ca-certificates.crt`;
	await writeFile(npmrc, `prefer-offline=true\n${existsSync(bundle) ? `cafile=${bundle}\n` : ''}`);
	const cache = join(engine.env.HOME, '.npm');
	const mounts = [`${npmrc}:/root/.npmrc:ro`];
	if (existsSync(cache)) mounts.push(`${cache}:/root/.npm`);
	if (existsSync(bundle)) mounts.push(`${certificates}:${certificates}:ro`);
	const options = [
		...mounts.flatMap((mount) => ['--volume', mount]),
		...Object.entries(build).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
	];
	await engine.run('buildah', [
		...['bud', '--pull-never', '--layers=false', ...options, '--tag', paddockImage, root],
	]);
}

/** Bytes that the Dockerfile adds to its base. */
export async function ownBytes(engine: ContainerEngine): Promise<number> {
	const [whole, below] = await Promise.all([paddockImage, base].map((image) => bytesOf(engine, image)));
	return Number(whole) - Number(below);
}

async function bytesOf(engine: ContainerEngine, image: string): Promise<number> {
	return Number(await engine.run('podman', ['image', 'inspect', '--format', '{{.Size}}', image]));
}

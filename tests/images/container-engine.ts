import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

export type Environment = Readonly<Record<string, string | undefined>>;

/** buildah and podman with images, containers and networks of their own, in a temporary directory. */
export interface ContainerEngine {
	readonly directory: string;
	/** With these variables the programs use this engine. */
	readonly env: Readonly<Record<string, string>> & { readonly HOME: string };
	/** @returns the trimmed output. @throws with stderr */
	run(program: string, args: readonly string[], options?: RunOptions): Promise<string>;
	/** Removes all containers and the directory. */
	close(): Promise<void>;
}

interface RunOptions {
	readonly cwd?: string;
	readonly env?: Readonly<Record<string, string>>;
	readonly timeoutMs?: number;
}

export async function openContainerEngine({ PATH = '', HOME = '' }: Environment): Promise<ContainerEngine> {
	const directory = await mkdtemp(join(tmpdir(), 'paddock-images-'));
	const graph = join(directory, 'storage');
	const storage = join(directory, 'storage.conf');
	const containers = join(directory, 'containers.conf');
	await writeFile(
		storage,
		`[storage]\ndriver = "overlay"\ngraphroot = "${graph}"\nrunroot = "${directory}/run"\n`,
	);
	await writeFile(containers, containersConf(directory));
	const env = {
		PATH,
		HOME,
		CONTAINERS_STORAGE_CONF: storage,
		CONTAINERS_CONF: containers,
		BUILDAH_ISOLATION: 'chroot',
	};
	const run: ContainerEngine['run'] = async (program, args, options = {}) => {
		const { stdout } = await execute(program, args, {
			cwd: options.cwd,
			env: { ...env, ...options.env },
			timeout: options.timeoutMs ?? 90_000,
			// podman forwards a SIGTERM to the container, which may ignore it.
			killSignal: 'SIGKILL',
			maxBuffer: 64 * 1024 * 1024,
		});
		return stdout.trim();
	};
	return {
		directory,
		env,
		run,
		close: async () => {
			try {
				await run('podman', ['rm', '--all', '--force', '--time', '0']);
			} finally {
				// The storage driver leaves its directory mounted, and a build that was ended leaves its containers mounted in it.
				await run('umount', ['--quiet', '--recursive', join(graph, 'overlay')]).catch(() => '');
				await rm(directory, { recursive: true, force: true });
			}
		},
	};
}

/** Without systemd, and with limits that may be lower than podman's defaults. */
function containersConf(directory: string): string {
	return `[containers]
default_ulimits = ["nofile=20000:20000", "nproc=8192:8192"]
log_driver = "k8s-file"
[network]
network_backend = "netavark"
network_config_dir = "${directory}/networks"
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
tmp_dir = "${directory}/tmp"
`;
}

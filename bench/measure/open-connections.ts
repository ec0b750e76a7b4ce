import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const established = '01';

/** The number of clients' connections to an IPv4 port that each process has accepted. Linux only. */
export function openConnections(port: number, pids: readonly number[]): number[] {
	const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
	const sockets = new Set<string>();
	for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n')) {
		// Number, local address, remote address, state, …; the inode is the tenth field.
		const fields = line.trim().split(/\s+/);
		if (fields[1]?.endsWith(local) && fields[3] === established) sockets.add(`socket:[${fields[9]}]`);
	}
	return pids.map((pid) => descriptorsOf(pid).filter((target) => sockets.has(target)).length);
}

/** What the file descriptors of a process refer to. */
function descriptorsOf(pid: number): string[] {
	return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
		try {
			return readlinkSync(`/proc/${pid}/fd/${fd}`);
		} catch {
			return []; // Closed since the directory was read.
		}
	});
}

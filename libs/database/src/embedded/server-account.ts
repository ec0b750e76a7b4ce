import { stat } from 'node:fs/promises';
import { errorCode } from '../error-code.ts';
import { runProgram } from './run-program.ts';

export interface ServerAccount {
	name: string;
	uid: number;
	gid: number;
}

/** The accounts of the Debian and Red Hat packages, of macOS, and the one created below. */
const knownAccounts = ['postgres', '_postgres', 'paddock-postgres'];
const ownAccount = 'paddock-postgres';

/**
 * The account that runs PostgreSQL; undefined for the current one. PostgreSQL refuses to run as root, and initdb also
 * refuses a uid without an account because it looks up the name. So root runs it as the owner of existing data (in one
 * of `clusters`), otherwise as the system's account for PostgreSQL, otherwise as a newly created account.
 * @throws Error in one line when there is no account and none can be created.
 */
export async function chooseServerAccount(clusters: readonly string[]): Promise<ServerAccount | undefined> {
	if (process.getuid?.() !== 0) return undefined;
	for (const cluster of clusters) {
		const owner = await ownerOf(cluster);
		if (owner) return owner;
	}
	for (const name of knownAccounts) {
		const account = await findAccount(name);
		if (account) return account;
	}
	try {
		await runProgram('useradd', [
			'--system',
			'--user-group',
			'--no-create-home',
			'--shell',
			'/bin/false',
			ownAccount,
		]);
	} catch (error) {
		throw new Error(
			'PostgreSQL does not run as root and no account could be made for it; start as an ordinary user, or set POSTGRES_URL to a server of your own',
			{ cause: error },
		);
	}
	const made = await findAccount(ownAccount);
	if (!made) throw new Error(`the account ${ownAccount} was made but is not found`);
	return made;
}

async function ownerOf(directory: string): Promise<ServerAccount | undefined> {
	const stats = await stat(directory).catch((error: unknown) => {
		if (errorCode(error) === 'ENOENT') return undefined;
		throw error;
	});
	if (!stats || stats.uid === 0) return undefined;
	return { name: await nameOf(stats.uid), uid: stats.uid, gid: stats.gid };
}

/** The uid if the account has no name any more. */
async function nameOf(uid: number): Promise<string> {
	try {
		return (await runProgram('id', ['-nu', String(uid)])).trim();
	} catch {
		return String(uid);
	}
}

/** Uses `id` instead of /etc/passwd, because accounts may be in a directory service. */
async function findAccount(name: string): Promise<ServerAccount | undefined> {
	try {
		const [uid, gid] = await Promise.all([runProgram('id', ['-u', name]), runProgram('id', ['-g', name])]);
		return { name, uid: Number(uid), gid: Number(gid) };
	} catch {
		return undefined; // `id` fails for a name that doesn't exist.
	}
}

import { demoPassword, demoSignIns as users } from '@paddock/demo';

export interface DemoSignIns {
	password: string;
	users: readonly { email: string; roles: readonly string[] }[];
}

/** Who can sign in to the demo system: the users that the auth service makes with DEMO=on. */
export const demoSignIns: DemoSignIns = { password: demoPassword, users };

/** Those sign-ins, unless they were removed from this system: then one of them is tried in vain. */
export async function existingSignIns(
	gatewayUrl: string,
	signal: AbortSignal,
): Promise<DemoSignIns | undefined> {
	const { password, users: all } = demoSignIns;
	const tried = all.at(-1)?.email;
	const answer = await fetch(`${gatewayUrl}/auth/login`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify({ email: tried, password }),
		signal,
	}).catch(() => {
		// Lines of a banner are not worth a start that fails; health has been asked before.
		signal.throwIfAborted();
		return undefined;
	});
	await answer?.body?.cancel();
	return answer?.status === 401 ? undefined : demoSignIns;
}

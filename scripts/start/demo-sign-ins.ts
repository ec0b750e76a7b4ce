import { demoPassword, demoSignIns as users } from '@paddock/demo';

export interface DemoSignIns {
	password: string;
	users: readonly { email: string; roles: readonly string[] }[];
}

/** The accounts that the auth service creates with DEMO=on. */
export const demoSignIns: DemoSignIns = { password: demoPassword, users };

/** The demo sign-ins; undefined if a sign-in attempt shows that they were removed. */
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
		// An error here must not fail the start; the system is already healthy.
		signal.throwIfAborted();
		return undefined;
	});
	await answer?.body?.cancel();
	return answer?.status === 401 ? undefined : demoSignIns;
}

import { demoPassword, demoSignIns as users } from '@paddock/demo';

export interface DemoSignIns {
	password: string;
	users: readonly { email: string; roles: readonly string[] }[];
}

/** Who can sign in to the demo system: the users that the auth service makes with DEMO=on. */
export const demoSignIns: DemoSignIns = { password: demoPassword, users };

import type { AuthQueryable } from '../database-schema.ts';
import type { User } from '../users/view.ts';
import { accountSeries, deviceSeries, sessionSeries } from './sign-in-subject.ts';
import { forgiveSeries } from './store.ts';

/**
 * Ends the locks and delays of an account for unknown devices, each known device and each session, but not those of
 * client addresses.
 * @returns how many failures counted until now
 */
export async function releaseAccount(db: AuthQueryable, user: User, now: Date): Promise<number> {
	const devices = await db.selectFrom('devices').select('id').where('userId', '=', user.id).execute();
	const sessions = await db
		.selectFrom('sessions')
		.select('id')
		.where('userId', '=', user.id)
		.where('endedAt', 'is', null)
		.execute();
	const series = [
		accountSeries(user.email),
		...devices.map(({ id }) => deviceSeries(id)),
		...sessions.map(({ id }) => sessionSeries(id)),
	];
	return forgiveSeries(db, series, now);
}

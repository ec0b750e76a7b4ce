import { inTransaction } from '@paddock/database';
import { administratorsOnly, type RecordCall, type Route } from '@paddock/service';
import type { AuthQueryable } from '../database-schema.ts';
import { type AuthDeps, route, update } from '../deps.ts';
import { deleteDevicesOf } from '../devices/store.ts';
import { authError, errorsNamed } from '../errors.ts';
import { isErased } from '../privacy/store.ts';
import { requireAdministrator } from '../sessions/require-session.ts';
import { endSessionsOf } from '../sessions/store.ts';
import { accountOnto, changeUser } from './change-user.ts';
import { accountTag, statusBody, statusReasonBody, type UserDto, userDto, userSchema } from './schemas.ts';
import { getUser, type User } from './store.ts';

type UserStatus = UserDto['status'];

const steps = {
	suspend: { from: ['ACTIVE'], to: 'SUSPENDED' },
	close: { from: ['ACTIVE', 'LOCKED', 'SUSPENDED'], to: 'CLOSED' },
	reinstate: { from: ['LOCKED', 'SUSPENDED', 'CLOSED'], to: 'ACTIVE' },
} as const satisfies Record<string, { readonly from: readonly UserStatus[]; readonly to: UserStatus }>;

/** The status after a step. @throws ApiError ILLEGAL_STATE_TRANSITION with `from`, `to` and the statuses that steps lead to */
function userStatusAfter(step: keyof typeof steps, from: UserStatus): UserStatus {
	const isOpen = (one: (typeof steps)[keyof typeof steps]) =>
		(one.from as readonly UserStatus[]).includes(from);
	const { to } = steps[step];
	if (isOpen(steps[step])) return to;
	const allowed = Object.values(steps)
		.filter(isOpen)
		.map((one) => one.to);
	throw authError('ILLEGAL_STATE_TRANSITION', { context: { from, to, allowed } });
}

/** An account that is not active has no sessions and no known devices. */
async function changeStatus(
	call: RecordCall,
	deps: AuthDeps,
	statusOf: (before: UserDto) => UserStatus,
): Promise<UserDto> {
	const { principal, log } = call;
	const user = await inTransaction(deps.db, (db) => {
		const live = { ...deps, db };
		return changeUser(live, call, {
			actor: () => requireAdministrator(live, principal),
			changes: async (_actor, before) => {
				const status = statusOf(userDto(before));
				if (status !== before.status && status !== 'CLOSED') await refuseErased(db, before, status);
				return { status };
			},
			settle: async (changed) => {
				if (changed.status === 'ACTIVE') return;
				await endSessionsOf(db, changed.id, deps.now());
				await deleteDevicesOf(db, changed.id);
			},
		});
	});
	log.info('the status of an account was changed', {
		userId: user.id,
		status: user.status,
		by: principal.userId,
	});
	return userDto(user);
}

/** @throws ApiError ILLEGAL_STATE_TRANSITION if the erasure of the account has begun, which closes it for good */
async function refuseErased(
	db: AuthQueryable,
	{ id, status: from }: Pick<User, 'id' | 'status'>,
	to: UserStatus,
): Promise<void> {
	if (!(await isErased(db, id))) return;
	const message = 'The erasure of this account has begun. It stays closed.';
	throw authError('ILLEGAL_STATE_TRANSITION', { message, context: { from, to, allowed: [] } });
}

const shared = {
	access: administratorsOnly,
	output: userSchema,
	etag: accountTag,
} as const;

const step = {
	...shared,
	method: 'post',
	writers: 'office',
	precondition: true,
	errors: errorsNamed('ILLEGAL_STATE_TRANSITION', 'LAST_ADMINISTRATOR'),
} as const;

const ends =
	'Ends the sessions of the account and forgets its known devices; its access tokens are refused within seconds. The reason is in the history.';

/** The steps of an account's status, and the former route, which sets any status. */
export const userStatusRoutes: readonly Route<AuthDeps>[] = [
	route({
		...step,
		path: '/auth/users/{id}/suspend',
		operationId: 'suspendUser',
		summary: 'Suspend an account: ACTIVE → SUSPENDED',
		description: ends,
		body: statusReasonBody,
		message: 'Account suspended',
		handler: (request, deps) =>
			changeStatus(request, deps, ({ status }) => userStatusAfter('suspend', status)),
	}),
	route({
		...step,
		path: '/auth/users/{id}/close',
		operationId: 'closeUser',
		summary: 'Close an account: ACTIVE, LOCKED or SUSPENDED → CLOSED',
		description: ends,
		body: statusReasonBody,
		message: 'Account closed',
		handler: (request, deps) => changeStatus(request, deps, ({ status }) => userStatusAfter('close', status)),
	}),
	route({
		...step,
		path: '/auth/users/{id}/reinstate',
		operationId: 'reinstateUser',
		summary: 'Make a suspended, locked or closed account active again',
		message: 'Account reinstated',
		handler: (request, deps) =>
			changeStatus(request, deps, ({ status }) => userStatusAfter('reinstate', status)),
	}),
	...update({
		...shared,
		path: '/auth/users/{id}/status',
		operationId: 'setUserStatus',
		writers: 'office',
		summary: 'Lock, suspend, close or reopen an account',
		description:
			'Any status but ACTIVE ends the sessions of the account and forgets its known devices; its access tokens are refused within seconds.',
		deprecated: {
			since: '2026-11-27',
			sunset: '2027-12-01',
			successor: 'POST /auth/users/{id}/suspend, /close and /reinstate',
		},
		body: statusBody,
		message: 'Status changed',
		errors: errorsNamed('ILLEGAL_STATE_TRANSITION', 'LAST_ADMINISTRATOR'),
		handler: async (request, deps) => {
			const statusOf = (before: Pick<UserDto, 'roleScopes'>) => request.update.onto(before as UserDto).status;
			// Refuses an invalid body before the lock.
			statusOf(accountOnto(await getUser(deps.db, request.params.id), request.update));
			return changeStatus({ ...request, body: undefined }, deps, statusOf);
		},
	}),
];

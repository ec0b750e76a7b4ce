import type { Logger } from '@paddock/telemetry';
import type { AuthDeps } from '../deps.ts';
import { deviceTokenHeader } from '../devices/devices.ts';
import { authError } from '../errors.ts';
import { linkIdentity } from '../identities/link-identity.ts';
import type { LinkedIdentity } from '../identities/store.ts';
import type { User } from '../users/store.ts';
import { tokensDto } from './schemas.ts';
import type { PasswordSource } from './sign-in-subject.ts';

export interface SignInRequest {
	readonly address: string;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly log: Logger;
}

/** A completed proof. */
export interface ProvenSignIn {
	readonly user: User;
	readonly source: PasswordSource;
	/** Authentication methods, RFC 8176; `fed` of an external identity provider. */
	readonly methods: readonly string[];
	/** An identity that signs in to the account from now on. */
	readonly identity?: LinkedIdentity | undefined;
}

/**
 * Opens the session and remembers the device, after all steps of the sign-in.
 * @throws ApiError INVALID_CREDENTIALS if status or password have changed since `user` was read, or a second factor was enrolled
 */
export async function finishSignIn(
	deps: Pick<AuthDeps, 'db' | 'jobs' | 'sessions' | 'devices' | 'now'>,
	{ address, headers, log }: SignInRequest,
	{ user, source, methods, identity }: ProvenSignIn,
) {
	if (identity !== undefined) await linkIdentity(deps, { user, identity, log });
	const userAgent = headers['user-agent'];
	const proof = { methods, userAgent: typeof userAgent === 'string' ? userAgent : undefined };
	const tokens = await deps.sessions.open(user, proof);
	if (tokens === undefined) throw authError('INVALID_CREDENTIALS');
	const { sessionId } = tokens;
	const token = headers[deviceTokenHeader];
	const deviceToken = await deps.devices.remember({
		user,
		sessionId,
		source,
		token,
		userAgent: proof.userAgent,
	});
	if (deviceToken === undefined) throw authError('INVALID_CREDENTIALS');
	log.info('signed in', { userId: user.id, address, source: source.kind, methods: methods.join(' ') });
	return { ...tokensDto(tokens, deps.now()), deviceToken };
}

import { inTransaction } from '@paddock/database';
import type { Logger } from '@paddock/telemetry';
import type { AuthDeps } from '../deps.ts';
import { authError } from '../errors.ts';
import { enqueueAccountMail } from '../mails/account-mail.ts';
import { recoveryCodeUsedMail } from '../mails/notices.ts';
import type { SignInSource } from '../sign-in/sign-in-subject.ts';
import { countRecoveryCodes, findTotp, useRecoveryCode, useTotpStep } from './store.ts';
import { stepOf, totpFormat } from './totp.ts';

type FactorDeps = Pick<AuthDeps, 'db' | 'jobs' | 'secrets' | 'throttle' | 'now'>;

interface FactorClaim {
	readonly userId: string;
	readonly source: Extract<SignInSource, { kind: 'secondFactor' }>;
	readonly log: Logger;
}

/** The proof of a factor: the authentication methods (RFC 8176) that it adds; undefined if it is wrong. */
type Proof = () => Promise<readonly string[] | undefined>;

/**
 * Runs the proof of a second factor, throttled like passwords: guesses of codes would succeed at some time.
 * @throws ApiError SECOND_FACTOR_WRONG, the same for wrong, expired and used codes; RATE_LIMITED, ACCOUNT_LOCKED
 */
export async function proveFactor(
	{ throttle }: Pick<FactorDeps, 'throttle'>,
	{ userId, source, log }: FactorClaim,
	proof: Proof,
): Promise<readonly string[]> {
	const attempt = await throttle.admit(source);
	let methods: readonly string[] | undefined;
	try {
		methods = await proof();
	} catch (error) {
		await attempt.undecided().catch((cause: unknown) => {
			log.warn('an undecided second factor counts as failed', { error: cause });
		});
		throw error;
	}
	if (methods === undefined) {
		attempt.failed();
		log.info('second factor refused', { userId, address: source.address });
		throw authError('SECOND_FACTOR_WRONG');
	}
	await attempt.succeeded();
	return methods;
}

/** The proof by a code of the authenticator app, or by a recovery code; either is used by it. */
export function codeProof(deps: FactorDeps, { userId, log }: FactorClaim, code: string): Proof {
	const { db, secrets, now } = deps;
	return async () => {
		if (!totpFormat.test(code)) {
			if (!(await takeRecoveryCode(deps, userId, code))) return undefined;
			log.warn('a recovery code was used', { userId });
			return ['otp', 'mfa'];
		}
		const totp = await findTotp(db, secrets, userId, 'enrolled');
		const step = totp && (await stepOf(code, totp, now()));
		if (totp === undefined || step === undefined) return undefined;
		return (await useTotpStep(db, { id: totp.id, step, at: now() })) ? ['otp', 'mfa'] : undefined;
	};
}

/** Uses the code and informs the owner, who may not be the one that used it. */
function takeRecoveryCode({ db, jobs, now }: FactorDeps, userId: string, code: string): Promise<boolean> {
	return inTransaction(db, async (transaction) => {
		if (!(await useRecoveryCode(transaction, userId, code, now()))) return false;
		const notice = { userId, left: await countRecoveryCodes(transaction, userId) };
		await enqueueAccountMail({ jobs, transaction }, recoveryCodeUsedMail, notice);
		return true;
	});
}

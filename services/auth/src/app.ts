import { contextOpener } from '@paddock/context';
import { seed } from '@paddock/database';
import { createLocalKeySet, createTokenSigner, internalAudience, type TokenSigner } from '@paddock/identity';
import { createMessageIds, openMailer } from '@paddock/mail';
import type { ServiceToken } from '@paddock/peers';
import { type Maintenance, openMaintenance } from '@paddock/service';
import type { Logger } from '@paddock/telemetry';
import { context } from '../context.ts';
import { deleteExpiredAccountTokens } from './account-tokens/store.ts';
import type { AuthSettings } from './config.ts';
import type { AuthDatabase, AuthSchema } from './database-schema.ts';
import { demoUsers, refuseDemoUsers } from './demo.ts';
import type { AuthDeps } from './deps.ts';
import { createDevices } from './devices/devices.ts';
import { deleteExpiredDevices } from './devices/store.ts';
import { requireEncryptionKeys } from './encryption/require-keys.ts';
import { createSecretBox, type SecretBox } from './encryption/secret-box.ts';
import { createIdentityProvider } from './identities/identity-provider.ts';
import { deleteExpiredSteps } from './identities/steps.ts';
import { createSigningKeys, type SigningKeys } from './keys/signing-keys.ts';
import { accountMails } from './mails/account-mails.ts';
import { mailDelivery } from './mails/deliver-mail.ts';
import { createMailReports } from './mails/mail-reports.ts';
import { createClubRefresh } from './member-links/member-clubs.ts';
import { migrations } from './migrations.ts';
import { createFairQueue } from './passwords/fair-queue.ts';
import { createPasswordHash } from './passwords/password-hash.ts';
import { anyMember, createMemberDirectory, type MemberDirectory } from './peers/members.ts';
import { personalContext, personalContexts } from './privacy/contexts.ts';
import { personJobs } from './privacy/person-jobs.ts';
import { deleteExpiredExports } from './privacy/store.ts';
import { createRevocationFeed } from './revocations/revocation-feed.ts';
import { deleteExpiredRevocations } from './revocations/store.ts';
import { authRoutesFor } from './routes.ts';
import { deleteExpiredChallenges } from './second-factor/challenges.ts';
import { createPasskeys, type RelyingParty } from './second-factor/passkeys.ts';
import type { MfaRequirement } from './second-factor/policy.ts';
import { resealTotpSecrets } from './second-factor/store.ts';
import { createOwnServiceToken, createServiceTokens } from './service-tokens/service-tokens.ts';
import { createSessions } from './sessions/sessions.ts';
import { deleteDeadSessions } from './sessions/store.ts';
import { createSignInMetrics } from './sign-in/sign-in-metrics.ts';
import { createSignInThrottle } from './sign-in/sign-in-throttle.ts';
import { deleteForgottenFailures } from './sign-in/store.ts';
import { ensureFirstAdministrator } from './users/first-administrator.ts';
import { deleteUnverifiedUsers, reportUnlinkedMembers } from './users/store.ts';

const retryAfterMs = 2_000;
const dayMs = 24 * 60 * 60_000;
/** Clock skew that verifiers tolerate; see `createTokenVerifier`. */
const clockToleranceMs = 30_000;

/**
 * Creates the first administrator and the first signing key. Throws a SettingsError for invalid administrator settings,
 * for demo accounts in production, or if secrets of the database are encrypted with a key that is not configured.
 */
export const openAuth = contextOpener<AuthSchema, AuthDeps, AuthSettings>({
	description: context,
	migrations,
	open: async ({ settings, db, now, logger, metrics, openPeers, openJobs, closeWith }) => {
		const secrets = createSecretBox(settings.KEY_ENCRYPTION_KEY);
		await requireEncryptionKeys(db, secrets);
		const passwordHash = await createPasswordHash({
			memoryKib: settings.PASSWORD_HASH_MEMORY_KIB,
			passes: settings.PASSWORD_HASH_PASSES,
		});
		await prepareAccounts(db, settings, { passwordHash, now, logger });
		const signingKeys = signingKeysOf(db, settings, { secrets, logger, now });
		await signingKeys.maintain();
		const keys = createLocalKeySet({ source: signingKeys.published, now, logger });
		closeWith(keys.close);
		keys.start();
		const revocationFeed = createRevocationFeed({ db });
		closeWith(revocationFeed.close);
		const { SMTP_URL: smtpUrl, MAIL_DIR: directory, MAIL_FROM: from, PUBLIC_URL: publicUrl } = settings;
		const { MAIL_BOUNCES_TO: bouncesTo, MAIL_REPORTS_SECRET: reportsSecret } = settings;
		const mailer = openMailer({ smtpUrl, directory, from, bouncesTo });
		const messageIds = createMessageIds({ from, secret: reportsSecret });
		closeWith(mailer.close);
		const delivery = mailDelivery({ db, now, logger, metrics, mailer, accountMails, messageIds, publicUrl });
		const { peer } = openPeers(ownTokenOf(settings, signingKeys, now));
		const isDeployed = (name: string) => settings.CONTEXTS.includes(name);
		const memberDirectory = isDeployed('members')
			? createMemberDirectory(peer('members-service'))
			: undefined;
		const maintenance = maintenanceOf(db, settings, { signingKeys, secrets, memberDirectory, now, logger });
		const contexts = personalContexts.filter(isDeployed).map((name) => personalContext(name, peer));
		const persons = personJobs({ db, now, logger, contexts, jobs: () => jobs });
		const jobs = await openJobs([delivery, ...persons]);
		return {
			routes: authRoutesFor({ passwordLengthMin: settings.PASSWORD_LENGTH_MIN }),
			deps: {
				...depsOf(db, settings, {
					secrets,
					signingKeys,
					signInMetrics: createSignInMetrics(metrics),
					jobs,
					now,
				}),
				identityProvider: identityProviderOf(settings, { now, logger }),
				mailReports: createMailReports({ db, metrics, messageIds, secret: reportsSecret }),
				passwordHash,
				maintenance,
				memberDirectory: memberDirectory ?? anyMember,
				revocationFeed,
			},
			keys,
			maintenance,
			announceClose: revocationFeed.close,
		};
	},
});

/** Demo accounts come last: one is an administrator, and the first administrator is made only if there is none. */
async function prepareAccounts(
	db: AuthDatabase,
	settings: AuthSettings,
	deps: Pick<AuthDeps, 'passwordHash' | 'now'> & { readonly logger: Logger },
): Promise<void> {
	await reportUnlinkedMembers(db, deps.logger);
	if (settings.NODE_ENV === 'production') await refuseDemoUsers(db);
	await ensureFirstAdministrator(db, settings, deps);
	if (settings.DEMO) await seed(db, [demoUsers(deps)], deps.logger);
}

function maintenanceOf(
	db: AuthDatabase,
	settings: AuthSettings,
	{
		signingKeys,
		secrets,
		memberDirectory,
		now,
		logger,
	}: Pick<AuthDeps, 'signingKeys' | 'secrets' | 'now'> & {
		readonly logger: Logger;
		/** Undefined in a deployment without members. */
		readonly memberDirectory: MemberDirectory | undefined;
	},
): Maintenance {
	const unverifiedMs = settings.UNVERIFIED_ACCOUNT_DAYS * dayMs;
	return openMaintenance({
		tasks: {
			keys: signingKeys.maintain,
			sessions: () => deleteDeadSessions(db, now()),
			failures: () => deleteForgottenFailures(db, now()),
			devices: () => deleteExpiredDevices(db, now()),
			challenges: () => deleteExpiredChallenges(db, now()),
			externalSignIns: () => deleteExpiredSteps(db, now()),
			secrets: async () => {
				const resealed = await resealTotpSecrets(db, secrets);
				if (resealed > 0) logger.info('secrets were encrypted with the current key', { count: resealed });
			},
			revocations: () => deleteExpiredRevocations(db, now()),
			exports: () => deleteExpiredExports(db, now()),
			accountTokens: () => deleteExpiredAccountTokens(db, now()),
			unverified: async () => {
				const at = now();
				await deleteUnverifiedUsers(db, { createdBefore: new Date(at.getTime() - unverifiedMs), now: at });
			},
			...(memberDirectory && { memberClubs: createClubRefresh({ db, memberDirectory, logger }) }),
		},
		intervalMs: settings.MAINTENANCE_INTERVAL_MS,
		logger,
	});
}

function depsOf(
	db: AuthDatabase,
	settings: AuthSettings,
	shared: Pick<AuthDeps, 'secrets' | 'signingKeys' | 'signInMetrics' | 'jobs' | 'now'>,
): Omit<
	AuthDeps,
	'passwordHash' | 'maintenance' | 'memberDirectory' | 'revocationFeed' | 'identityProvider' | 'mailReports'
> {
	const { signingKeys, jobs, now } = shared;
	const isMfaRequired = mfaRequirementOf(settings);
	return {
		db,
		...shared,
		// A demo system has no mails to read.
		emailVerification: settings.EMAIL_VERIFICATION ?? !settings.DEMO,
		isMfaRequired,
		passkeys: createPasskeys({ db, relyingParty: relyingPartyOf(settings), now }),
		...signInGuardOf(db, settings, shared),
		sessions: createSessions({
			db,
			keys: signingKeys,
			signer: signerFor(settings.TOKEN_AUDIENCE, settings, now),
			isMfaRequired,
			now,
			jobs,
			refreshTokenMs: settings.REFRESH_TOKEN_MS,
			graceMs: settings.REFRESH_GRACE_MS,
			sessionMsMax: settings.SESSION_MS_MAX,
		}),
		serviceTokens: createServiceTokens({
			secrets: settings.SERVICE_SECRETS,
			signer: signerFor(internalAudience(settings.TOKEN_AUDIENCE), settings, now),
			keys: signingKeys,
		}),
	};
}

function mfaRequirementOf({ NODE_ENV, REQUIRE_MFA }: AuthSettings): MfaRequirement {
	const isAdmin = (REQUIRE_MFA ?? (NODE_ENV === 'production' ? 'admin' : 'off')) === 'admin';
	return ({ roles }) => isAdmin && roles.includes('ADMIN');
}

function identityProviderOf(
	settings: AuthSettings,
	deps: { readonly now: () => Date; readonly logger: Logger },
): AuthDeps['identityProvider'] {
	const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = settings;
	if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
	const { PUBLIC_URL: publicUrl } = settings;
	const provider = createIdentityProvider({
		...deps,
		issuer,
		clientId,
		clientSecret,
		name: settings.OIDC_NAME ?? new URL(issuer).hostname,
		scope: settings.OIDC_SCOPE,
		redirectUri: `${publicUrl}/auth/oidc/callback`,
		timeoutMs: settings.OIDC_TIMEOUT_MS,
	});
	return { ...provider, createsAccounts: settings.OIDC_REGISTRATION, publicUrl };
}

function relyingPartyOf(settings: AuthSettings): RelyingParty | undefined {
	const { NODE_ENV, PASSKEY_RP_ID: id = NODE_ENV === 'production' ? undefined : 'localhost' } = settings;
	if (id === undefined) return undefined;
	const { PASSKEY_ORIGINS: origins } = settings;
	if (origins !== undefined) return { id, isOrigin: (origin) => origins.includes(origin) };
	const local = /^http:\/\/localhost(:\d+)?$/;
	return {
		id,
		isOrigin: (origin) => origin === `https://${id}` || (id === 'localhost' && local.test(origin)),
	};
}

/** All tokens share one lifetime, which determines how long a key stays published. */
function signerFor(audience: string, settings: AuthSettings, now: () => Date): TokenSigner {
	const { TOKEN_ISSUER: issuer, ACCESS_TOKEN_MS: lifetimeMs } = settings;
	return createTokenSigner({ issuer, audience, lifetimeMs, now });
}

function ownTokenOf(settings: AuthSettings, keys: SigningKeys, now: () => Date): ServiceToken {
	const signer = signerFor(internalAudience(settings.TOKEN_AUDIENCE), settings, now);
	return createOwnServiceToken({ signer, keys, now });
}

/** Protection against password guessing: the throttle, known devices, and the queue for password hashes. */
function signInGuardOf(
	db: AuthDatabase,
	settings: AuthSettings,
	{ signInMetrics: metrics, jobs, now }: Pick<AuthDeps, 'signInMetrics' | 'jobs' | 'now'>,
): Pick<AuthDeps, 'throttle' | 'devices' | 'passwordQueue'> {
	const passwordQueue = createFairQueue({
		atOnce: settings.PASSWORD_HASHES_AT_ONCE,
		waitingMax: settings.PASSWORD_HASHES_WAITING_MAX,
		retryAfterMs,
		onRefused: metrics.queueRefused,
	});
	metrics.watchQueue(passwordQueue.waiting);
	return {
		passwordQueue,
		throttle: createSignInThrottle({
			db,
			now,
			metrics,
			seriesLimits: {
				freeFailures: settings.SIGN_IN_FREE_FAILURES,
				delayMs: settings.SIGN_IN_DELAY_MS,
				failuresMax: settings.SIGN_IN_ACCOUNT_FAILURES_MAX,
				lockMs: settings.SIGN_IN_LOCK_MS,
			},
			addressLimits: {
				failuresMax: settings.SIGN_IN_ADDRESS_FAILURES_MAX,
				windowMs: settings.SIGN_IN_ADDRESS_WINDOW_MS,
			},
		}),
		devices: createDevices({
			db,
			jobs,
			now,
			devicesMax: settings.DEVICES_PER_ACCOUNT_MAX,
			lifeMs: settings.DEVICE_TOKEN_DAYS * dayMs,
		}),
	};
}

function signingKeysOf(
	db: AuthDatabase,
	settings: AuthSettings,
	deps: { readonly secrets: SecretBox; readonly logger: Logger; readonly now: () => Date },
): SigningKeys {
	return createSigningKeys({
		...deps,
		db,
		policy: {
			rotationMs: settings.KEY_ROTATION_DAYS * dayMs,
			leadMs: settings.KEY_LEAD_MS,
			tokenMs: settings.ACCESS_TOKEN_MS + clockToleranceMs,
		},
		reloadMs: settings.KEY_RELOAD_MS,
	});
}

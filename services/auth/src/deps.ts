import type { Jobs } from '@paddock/jobs';
import { type Maintenance, routesWith, updatesWith } from '@paddock/service';
import type { AuthDatabase, AuthSchema } from './database-schema.ts';
import type { Devices } from './devices/devices.ts';
import type { SecretBox } from './encryption/secret-box.ts';
import type { IdentityProvider } from './identities/identity-provider.ts';
import type { SigningKeys } from './keys/signing-keys.ts';
import type { MailReports } from './mails/mail-reports.ts';
import type { FairQueue } from './passwords/fair-queue.ts';
import type { PasswordHash } from './passwords/password-hash.ts';
import type { MemberDirectory } from './peers/members.ts';
import type { RevocationFeed } from './revocations/revocation-feed.ts';
import type { Passkeys } from './second-factor/passkeys.ts';
import type { MfaRequirement } from './second-factor/policy.ts';
import type { ServiceTokens } from './service-tokens/service-tokens.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { SignInMetrics } from './sign-in/sign-in-metrics.ts';
import type { SignInThrottle } from './sign-in/sign-in-throttle.ts';

/** The external identity provider with the addresses of this deployment. */
interface ConfiguredProvider extends IdentityProvider {
	/** Whether a first sign-in creates an account. */
	readonly createsAccounts: boolean;
	/** Of the gateway as browsers know it; cookies are `Secure` if it is https. */
	readonly publicUrl: string;
}

/** Dependencies of the handlers. */
export interface AuthDeps {
	readonly db: AuthDatabase;
	readonly jobs: Pick<Jobs<AuthSchema>, 'enqueue' | 'enqueueAll'>;
	/** Encrypts secrets in the database. */
	readonly secrets: SecretBox;
	readonly passwordHash: PasswordHash;
	/** Queues all password hashes. */
	readonly passwordQueue: FairQueue;
	readonly throttle: SignInThrottle;
	readonly devices: Devices;
	readonly signInMetrics: SignInMetrics;
	readonly sessions: Sessions;
	readonly passkeys: Passkeys;
	readonly isMfaRequired: MfaRequirement;
	/** Undefined if the settings name none. */
	readonly identityProvider: ConfiguredProvider | undefined;
	readonly serviceTokens: ServiceTokens;
	readonly mailReports: MailReports;
	readonly memberDirectory: MemberDirectory;
	readonly signingKeys: SigningKeys;
	readonly maintenance: Maintenance;
	readonly revocationFeed: RevocationFeed;
	/** Whether new accounts have to verify their addresses. */
	readonly emailVerification: boolean;
	readonly now: () => Date;
}

/** Declares one route of this context. */
export const route = routesWith<AuthDeps>('authentication');

/** Declares the two routes of this context that change a record. */
export const update = updatesWith<AuthDeps>('authentication');

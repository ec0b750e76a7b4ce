import { instant, line } from '@paddock/service';
import { z } from 'zod';
import { signInSchema, tokensSchema } from '../sign-in/schemas.ts';
import type { SecondFactor } from './store.ts';

const challengeToken = z
	.string('must be text')
	.regex(/^[\w-]{43}$/, 'must be the `challengeToken` of the sign-in')
	.describe('The `challengeToken` of the response to the password.');

/** Normalized: without blanks, in upper case; a recovery code with its hyphens. */
const code = z
	.string('must be text')
	.min(6)
	.max(60)
	.transform((text) => text.replaceAll(/\s/g, '').toUpperCase())
	.meta({
		type: 'string',
		minLength: 6,
		maxLength: 60,
		description: 'The six digits that the authenticator app shows, or a recovery code.',
		example: '492039',
	});

const exampleToken = 'o1Y3pXQp1cXo7mJwq0sG1rJm2y3cQb4yqGJm8n9sYtE';

export const challengeBody = z.strictObject({ challengeToken }).meta({
	id: 'SignInChallenge',
	description: 'A sign-in that awaits its second step.',
	example: { challengeToken: exampleToken },
});

export const challengeCodeBody = z.strictObject({ challengeToken, code }).meta({
	id: 'SecondFactorSignIn',
	description: 'The second step of a sign-in.',
	example: { challengeToken: exampleToken, code: '492039' },
});

export const codeBody = z.strictObject({ code }).meta({
	id: 'SecondFactorCode',
	description: 'A code of the authenticator app, or a recovery code.',
	example: { code: '492039' },
});

const base64url = (max: number, meaning: string) =>
	z
		.string('must be text')
		.regex(/^[\w-]+$/, 'must be base64url')
		.max(max)
		.describe(meaning);

const credentialFields = {
	id: base64url(1_400, 'Id of the credential.'),
	rawId: base64url(1_400, 'The same.'),
	type: z.literal('public-key').describe('Kind of credential.'),
	authenticatorAttachment: z
		.enum(['platform', 'cross-platform'])
		.nullable()
		.optional()
		.describe('Where the authenticator is.'),
	clientExtensionResults: z
		.looseObject({})
		.meta({ id: 'PasskeyExtensionResults', description: 'Results of extensions; ignored.' }),
};
const clientDataJSON = base64url(8_000, 'What the browser signed: challenge and origin.');

const assertion = z
	.strictObject({
		...credentialFields,
		response: z
			.strictObject({
				clientDataJSON,
				authenticatorData: base64url(8_000, 'What the authenticator signed.'),
				signature: base64url(2_000, 'Its signature.'),
				userHandle: base64url(200, 'Handle of the account.').nullable().optional(),
			})
			.meta({ id: 'PasskeyAssertionResponse', description: 'Response of the authenticator.' }),
	})
	.meta({
		id: 'PasskeyAssertion',
		description: '`toJSON()` of the result of `navigator.credentials.get` (WebAuthn §5.1).',
	});

const attestation = z
	.strictObject({
		...credentialFields,
		response: z
			.strictObject({
				clientDataJSON,
				attestationObject: base64url(40_000, 'The new public key.'),
				authenticatorData: base64url(20_000, 'A part of the attestation object.').optional(),
				transports: z
					.array(z.string().max(40))
					.max(10)
					.optional()
					.describe('How the browser reaches the authenticator.'),
				publicKey: base64url(8_000, 'The public key once more; ignored.').optional(),
				publicKeyAlgorithm: z.int().optional().describe('Its algorithm; ignored.'),
			})
			.meta({ id: 'PasskeyAttestationResponse', description: 'Response of the authenticator.' }),
	})
	.meta({
		id: 'PasskeyAttestation',
		description: '`toJSON()` of the result of `navigator.credentials.create` (WebAuthn §5.1).',
	});

const bytes = (count: number) => 'A'.repeat(count);
const exampleAssertion = {
	id: bytes(22),
	rawId: bytes(22),
	type: 'public-key',
	authenticatorAttachment: 'platform',
	clientExtensionResults: {},
	response: {
		clientDataJSON: bytes(120),
		authenticatorData: bytes(52),
		signature: bytes(96),
		userHandle: null,
	},
};

export const challengePasskeyBody = z.strictObject({ challengeToken, credential: assertion }).meta({
	id: 'PasskeySignIn',
	description: 'The second step of a sign-in, by a passkey.',
	example: { challengeToken: exampleToken, credential: exampleAssertion },
});

export const passkeyBody = z.strictObject({ credential: assertion }).meta({
	id: 'PasskeyProof',
	description: 'The proof of a passkey.',
	example: { credential: exampleAssertion },
});

export const newPasskeyBody = z
	.strictObject({
		name: line(1, 100).describe('Name for the owner, such as that of the device.'),
		credential: attestation,
	})
	.meta({
		id: 'NewPasskey',
		description: 'A passkey to enrol.',
		example: {
			name: 'Phone',
			credential: {
				...exampleAssertion,
				response: { clientDataJSON: bytes(120), attestationObject: bytes(300), transports: ['internal'] },
			},
		},
	});

export const passkeyOptions = z
	.looseObject({ challenge: z.string().describe('Single-use, valid for five minutes.') })
	.meta({
		id: 'PasskeyOptions',
		description:
			'Options for the browser: `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON` (WebAuthn §5.1.8, §5.1.9).',
	});

export const totpEnrolment = z
	.strictObject({
		secret: z.string().describe('For people who can’t scan a QR code, in Base32.'),
		uri: z.string().describe('Content of the QR code for the authenticator app (`otpauth://totp/…`).'),
	})
	.meta({
		id: 'TotpEnrolment',
		description: 'A new secret for an authenticator app. It is shown once.',
		example: {
			secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
			uri: 'otpauth://totp/Paddock:anna.huber%40example.org?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Paddock',
		},
	});

const recoveryCodeList = z
	.array(z.string())
	.describe('Codes that each replace the factor once. Shown once: store them away from the device.');

export const recoveryCodes = z
	.strictObject({ recoveryCodes: recoveryCodeList })
	.meta({ id: 'RecoveryCodes', description: 'New recovery codes; earlier ones are void.' });

const secondFactor = z
	.strictObject({
		id: z.uuid().describe('UUID of the factor.'),
		kind: z.enum(['TOTP', 'PASSKEY']).meta({
			id: 'SecondFactorKind',
			description: 'TOTP: an authenticator app. PASSKEY: a passkey or security key.',
		}),
		name: z.string().describe('Name for the owner.'),
		createdAt: instant.describe('When it was enrolled, in UTC.'),
		lastUsedAt: instant.nullable().describe('When it was last used, in UTC.'),
	})
	.meta({ id: 'SecondFactor', description: 'An enrolled second factor.' });

export const secondFactorsSchema = z
	.strictObject({
		factors: z.array(secondFactor).describe('Enrolled factors, oldest first.'),
		recoveryCodesLeft: z.int().min(0).describe('Recovery codes that were not used.'),
		isRequired: z.boolean().describe('Whether an account with these roles must have a factor.'),
	})
	.meta({ id: 'SecondFactors', description: 'The second factors of an account.' });

export const enrolledSchema = secondFactorsSchema.extend({ recoveryCodes: recoveryCodeList }).meta({
	id: 'EnrolledSecondFactor',
	extends: 'SecondFactors',
	description: 'The second factors after an enrolment. Recovery codes come with the first factor only.',
});

export const enrolledSignIn = signInSchema.extend({ recoveryCodes: recoveryCodeList }).meta({
	id: 'EnrolledSignIn',
	extends: 'SignIn',
	description: 'A sign-in that enrolled the first second factor.',
});

export const steppedUpSchema = tokensSchema
	.omit({ refreshToken: true, refreshExpiresIn: true, user: true })
	.meta({
		id: 'SteppedUp',
		description: 'An access token for sensitive operations in the next ten minutes. The refresh token stays.',
	});

export const resetBody = z.strictObject({ reason: line(1, 200).describe('Reason, for the log.') }).meta({
	id: 'SecondFactorReset',
	description: 'Why the factors are removed.',
	example: { reason: 'phone lost, identity checked by telephone' },
});

export const resetSchema = z
	.strictObject({
		userId: z.uuid().describe('UUID of the account.'),
		removed: z.int().min(0).describe('Factors that were removed.'),
		resetAt: instant.describe('When, in UTC.'),
	})
	.meta({ id: 'SecondFactorResetResult', description: 'Result of the removal.' });

export function secondFactorsDto(
	factors: readonly SecondFactor[],
	recoveryCodesLeft: number,
	isRequired: boolean,
): z.output<typeof secondFactorsSchema> {
	return {
		factors: factors.map(({ createdAt, lastUsedAt, ...factor }) => ({
			...factor,
			createdAt: createdAt.toISOString(),
			lastUsedAt: lastUsedAt?.toISOString() ?? null,
		})),
		recoveryCodesLeft,
		isRequired,
	};
}

/** RFC 6238 with the values that all authenticator apps use: SHA-1, six digits, steps of 30 s. */
const stepSeconds = 30;
/** RFC 6238 §5.2: one step for the clock of the device and the time to type. */
const toleranceSeconds = stepSeconds;

export const totpFormat = /^\d{6}$/;

export interface NewTotp {
	/** Base32. */
	readonly secret: string;
	/** `otpauth://totp/…`, for a QR code. */
	readonly uri: string;
}

// Loaded when it is needed first: most processes never need it.
const otplib = () => import('otplib');

/** @param account the name that the app shows, the e-mail address */
export async function newTotp(account: string): Promise<NewTotp> {
	const { generateSecret, generateURI } = await otplib();
	const secret = generateSecret();
	return { secret, uri: generateURI({ issuer: 'Paddock', label: account, secret }) };
}

/** The time step of a code; undefined if it is wrong or not later than `lastStep`, the step of the last accepted code. */
export async function stepOf(
	code: string,
	{ secret, lastStep }: { readonly secret: string; readonly lastStep: number },
	now: Date,
): Promise<number | undefined> {
	const { verify } = await otplib();
	const epoch = Math.floor(now.getTime() / 1_000);
	const result = await verify({ secret, token: code, epoch, epochTolerance: toleranceSeconds });
	if (!result.valid || !('timeStep' in result)) return undefined;
	return result.timeStep > lastStep ? result.timeStep : undefined;
}

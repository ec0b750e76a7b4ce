import type { components } from '@paddock/client';
import { useSignal } from '@preact/signals';
import { h } from 'preact';
import { Field, Form, type Values } from './form.ts';
import { t, timeText } from './language.ts';
import { Loaded } from './loaded.ts';
import { hasPasskeys, newPasskey } from './passkeys.ts';
import { leaveWith, paddock } from './session.ts';
import { withStepUp } from './step-up-dialog.ts';
import { EnrolTotp, RecoveryCodes } from './totp.ts';

type Schemas = components['schemas'];
type Factors = Schemas['SecondFactors'];

export function SecurityPage() {
	return h('div', { class: 'stack wide-gap' }, h(SecondFactors, {}), h(Sessions, {}), h(Identities, {}));
}

function SecondFactors() {
	return h(
		'section',
		{ 'aria-labelledby': 'factors' },
		h('h2', { id: 'factors' }, t('secondFactor')),
		h('p', {}, t('secondFactorText')),
		h(Loaded<Factors>, {
			load: () => paddock.get('/auth/second-factors'),
			children: (factors, _reload, put) => h(FactorList, { factors, put }),
		}),
	);
}

interface FactorProps {
	readonly factors: Factors;
	readonly put: (factors: Factors) => void;
}

function FactorList({ factors: { factors, recoveryCodesLeft }, put }: FactorProps) {
	const adding = useSignal<'none' | 'totp' | 'passkey'>('none');
	const show = (kind: 'totp' | 'passkey'): void => {
		adding.value = kind;
	};
	const codes = useSignal<readonly string[]>([]);
	const enrolled = ({ recoveryCodes, ...next }: Schemas['EnrolledSecondFactor']): void => {
		codes.value = recoveryCodes;
		adding.value = 'none';
		put(next);
	};
	const remove = async (id: string): Promise<undefined> => {
		put(await withStepUp(() => paddock.delete('/auth/second-factors/{id}', { path: { id } })));
	};
	const renew = async () => {
		codes.value = (await withStepUp(() => paddock.post('/auth/second-factors/recovery-codes'))).recoveryCodes;
		return t('codesReplaced');
	};
	const hasTotp = factors.some(({ kind }) => kind === 'TOTP');
	return h(
		'div',
		{ class: 'stack' },
		factors.length === 0 && h('p', { class: 'muted' }, t('noFactor')),
		h(
			'ul',
			{ class: 'rows' },
			factors.map((factor) => h(FactorRow, { key: factor.id, factor, remove })),
		),
		codes.value.length > 0 && h(RecoveryCodes, { codes: codes.value }),
		adding.value === 'none' &&
			h(
				'div',
				{ class: 'buttons' },
				!hasTotp && h(AddButton, { text: t('addTotp'), add: () => show('totp') }),
				hasPasskeys && h(AddButton, { text: t('addPasskey'), add: () => show('passkey') }),
			),
		adding.value === 'totp' &&
			h(EnrolTotp, {
				begin: () => withStepUp(() => paddock.post('/auth/second-factors/totp')),
				confirm: async (code) =>
					enrolled(await paddock.post('/auth/second-factors/totp/confirm', { body: { code } })),
			}),
		adding.value === 'passkey' && h(AddPasskey, { enrolled }),
		factors.length > 0 &&
			h(
				'div',
				{ class: 'stack' },
				h('p', {}, t('codesLeft', String(recoveryCodesLeft))),
				h(Form, { action: t('replaceCodes'), submit: renew, kind: 'quiet' }),
			),
	);
}

function AddButton({ text, add }: { readonly text: string; readonly add: () => void }) {
	return h('button', { type: 'button', class: 'button', onClick: add }, text);
}

interface FactorRowProps {
	readonly factor: Schemas['SecondFactor'];
	readonly remove: (id: string) => Promise<undefined>;
}

function FactorRow({ factor: { id, kind, name, createdAt, lastUsedAt }, remove }: FactorRowProps) {
	const title = kind === 'TOTP' ? t('authenticatorApp') : `${t('passkey')} „${name}“`;
	return h(
		'li',
		{ class: 'row' },
		h(
			'div',
			{},
			h('strong', {}, title),
			h('p', { class: 'muted' }, t('addedAt', timeText(createdAt))),
			lastUsedAt !== null && h('p', { class: 'muted' }, t('lastUsedAt', timeText(lastUsedAt))),
		),
		h(Form, { action: t('remove'), submit: () => remove(id), kind: 'quiet' }),
	);
}

function AddPasskey({ enrolled }: { readonly enrolled: (next: Schemas['EnrolledSecondFactor']) => void }) {
	const add = async ({ name = '' }: Values): Promise<undefined> => {
		const options = await withStepUp(() => paddock.post('/auth/second-factors/passkeys/options'));
		const credential = await newPasskey(options);
		enrolled(await paddock.post('/auth/second-factors/passkeys', { body: { name, credential } }));
	};
	return h(
		Form,
		{ action: t('addPasskey'), submit: add },
		h(Field, {
			name: 'name',
			label: t('passkeyName'),
			hint: t('passkeyNameHint'),
			required: true,
			maxLength: 100,
		}),
	);
}

type Session = Schemas['Session'];

function Sessions() {
	return h(
		'section',
		{ 'aria-labelledby': 'sessions' },
		h('h2', { id: 'sessions' }, t('sessions')),
		h('p', {}, t('sessionsText')),
		h(Loaded<Schemas['SessionList']>, {
			load: () => paddock.get('/auth/sessions'),
			children: ({ items }, reload) =>
				h(
					'ul',
					{ class: 'rows' },
					items.map((session) => h(SessionRow, { key: session.id, session, reload })),
				),
		}),
	);
}

function SessionRow({
	session,
	reload,
}: {
	readonly session: Session;
	readonly reload: () => Promise<void>;
}) {
	const { id, current, device, createdAt, lastUsedAt } = session;
	const end = async (): Promise<undefined> => {
		if (current) return leaveWith('signedOut');
		await paddock.delete('/auth/sessions/{id}', { path: { id } });
		await reload();
	};
	return h(
		'li',
		{ class: 'row' },
		h(
			'div',
			{},
			h('strong', {}, device ?? t('unknownDevice')),
			current && h('span', { class: 'badge' }, t('thisDevice')),
			h('p', { class: 'muted' }, t('signedInAt', timeText(createdAt))),
			h('p', { class: 'muted' }, t('lastUsedAt', timeText(lastUsedAt))),
		),
		h(Form, { action: t('endSession'), submit: end, kind: 'quiet' }),
	);
}

type LinkedAccounts = Schemas['ExternalIdentities'] & {
	/** Name of the identity provider, if accounts can sign in with one. */
	readonly provider: string | undefined;
};

/** The identities that sign in to the account. Hidden without a provider, unless one of an earlier provider is left. */
function Identities() {
	const isShown = useSignal(false);
	const load = async (): Promise<LinkedAccounts> => {
		const reading = Promise.all([paddock.get('/auth/oidc'), paddock.get('/auth/oidc/identities')]);
		const [{ isAvailable, name }, { identities }] = await reading.catch((error: unknown) => {
			isShown.value = true;
			throw error;
		});
		isShown.value = isAvailable || identities.length > 0;
		return { identities, provider: isAvailable ? (name ?? t('identityProvider')) : undefined };
	};
	return h(
		'section',
		{ 'aria-labelledby': 'identities', hidden: !isShown.value },
		h('h2', { id: 'identities' }, t('identities')),
		h('p', {}, t('identitiesText')),
		h(Loaded<LinkedAccounts>, {
			load,
			children: (accounts, _reload, put) => h(IdentityList, { accounts, put }),
		}),
	);
}

interface IdentitiesProps {
	readonly accounts: LinkedAccounts;
	readonly put: (accounts: LinkedAccounts) => void;
}

function IdentityList({ accounts: { provider, identities }, put }: IdentitiesProps) {
	const remove = async (id: string): Promise<undefined> => {
		put({ provider, ...(await paddock.delete('/auth/oidc/identities/{id}', { path: { id } })) });
	};
	if (identities.length === 0)
		return provider !== undefined && h('p', { class: 'muted' }, t('noIdentity', provider));
	return h(
		'ul',
		{ class: 'rows' },
		identities.map((identity) => h(IdentityRow, { key: identity.id, identity, remove })),
	);
}

interface IdentityProps {
	readonly identity: Schemas['ExternalIdentity'];
	readonly remove: (id: string) => Promise<undefined>;
}

function IdentityRow({ identity: { id, issuer, email, createdAt, lastUsedAt }, remove }: IdentityProps) {
	return h(
		'li',
		{ class: 'row' },
		h(
			'div',
			{},
			h('strong', {}, email ?? issuer),
			email !== null && h('p', { class: 'muted' }, issuer),
			h('p', { class: 'muted' }, t('linkedAt', timeText(createdAt))),
			lastUsedAt !== null && h('p', { class: 'muted' }, t('lastUsedAt', timeText(lastUsedAt))),
		),
		h(Form, { action: t('remove'), submit: () => remove(id), kind: 'quiet' }),
	);
}

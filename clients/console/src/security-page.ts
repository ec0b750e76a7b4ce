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
	return h('div', { class: 'stack wide-gap' }, h(SecondFactors, {}), h(Sessions, {}));
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
		await paddock.delete('/auth/sessions/{id}', { path: { id } });
		if (current) leaveWith('signedOut');
		else await reload();
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

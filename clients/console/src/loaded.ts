import { useSignal } from '@preact/signals';
import { type ComponentChildren, h } from 'preact';
import { useEffect } from 'preact/hooks';
import { failureText } from './failures.ts';
import { t } from './language.ts';
import { endedBy } from './session.ts';

interface LoadedProps<Data> {
	readonly load: () => Promise<Data>;
	/** @param reload reads the data again; @param put shows these instead */
	readonly children: (
		data: Data,
		reload: () => Promise<void>,
		put: (data: Data) => void,
	) => ComponentChildren;
}

/** Reads data and shows them. */
export function Loaded<Data>({ load, children }: LoadedProps<Data>) {
	const data = useSignal<{ readonly data: Data } | undefined>(undefined);
	const failed = useSignal('');
	const reload = async (): Promise<void> => {
		failed.value = '';
		try {
			data.value = { data: await load() };
		} catch (error) {
			if (!endedBy(error)) failed.value = failureText(error);
		}
	};
	useEffect(() => void reload(), []);
	if (failed.value !== '')
		return h(
			'div',
			{ role: 'alert' },
			h('p', { class: 'note', 'data-error': true }, failed.value),
			h('button', { type: 'button', class: 'button', onClick: () => void reload() }, t('tryAgain')),
		);
	if (data.value === undefined) return h('p', { class: 'muted', role: 'status' }, t('loading'));
	return h(
		'div',
		{ class: 'stack' },
		children(data.value.data, reload, (next) => {
			data.value = { data: next };
		}),
	);
}

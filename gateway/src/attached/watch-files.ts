import { stat } from 'node:fs/promises';

const pollMs = 1_000;

/**
 * Calls back when one of the files has changed and then stayed the same for a second: a file that is just being written may look whole. By
 * polling, as a watch does not see a file behind a symbolic link that is replaced (a mounted ConfigMap), nor those of some network file systems.
 */
export function watchFiles(onChange: () => void): { set(files: readonly string[]): void; close(): void } {
	let files: readonly string[] = [];
	// The first state counts as a change: the files may have changed between the time they were read and now.
	let known = '';
	let pending: string | undefined;
	let isRunning = false;
	const poll = async (): Promise<void> => {
		if (isRunning) return;
		isRunning = true;
		const polled = files;
		const now = (await Promise.all(polled.map(stateOf))).join('\n');
		isRunning = false;
		if (polled !== files) return;
		if (now === known) pending = undefined;
		else if (now === pending) {
			known = now;
			pending = undefined;
			onChange();
		} else pending = now;
	};
	const timer = setInterval(() => void poll(), pollMs).unref();
	return {
		set: (next) => {
			if (next.join('\n') === files.join('\n')) return;
			files = next;
			known = '';
			pending = undefined;
		},
		close: () => clearInterval(timer),
	};
}

async function stateOf(file: string): Promise<string> {
	try {
		const { dev, ino, size, mtimeMs, ctimeMs } = await stat(file);
		return [file, dev, ino, size, mtimeMs, ctimeMs].join(' ');
	} catch (error) {
		return `${file} ${(error as NodeJS.ErrnoException).code}`;
	}
}

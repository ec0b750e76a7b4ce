/** `age class` → `Age class` */
export function sentence(words: string): string {
	return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `age class` → `AgeClass` */
export function pascalCase(words: string): string {
	return words.split(' ').map(sentence).join('');
}

/** `age class` → `an age class` */
export function withArticle(noun: string): string {
	return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

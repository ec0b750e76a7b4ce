const whole = 100_00;

/** A percentage in integer hundredths, which are added without floating-point errors. */
function hundredthsOf(percent: number): number {
	return Math.round(percent * 100);
}

/** Whether the percentage has two decimals at most. */
export function hasTwoDecimals(percent: number): boolean {
	return hundredthsOf(percent) / 100 === percent;
}

/** The error of the shares of one period: either all or none must be set, and they must add up to 100 percent. */
export function sharesProblem(percents: readonly (number | null)[]): 'INCOMPLETE' | 'NOT_WHOLE' | undefined {
	const given = percents.filter((percent) => percent !== null);
	if (given.length === 0) return undefined;
	if (given.length < percents.length) return 'INCOMPLETE';
	const sum = given.reduce((total, percent) => total + hundredthsOf(percent), 0);
	return sum === whole ? undefined : 'NOT_WHOLE';
}

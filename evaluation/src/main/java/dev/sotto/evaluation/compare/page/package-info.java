/** A comparison as one file; see {@link dev.sotto.evaluation.compare.page.ComparisonPage}. */
package dev.sotto.evaluation.compare.page;

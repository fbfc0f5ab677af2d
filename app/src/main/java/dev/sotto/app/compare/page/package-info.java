/** A comparison as one page that needs nothing else; start with {@link dev.sotto.app.compare.page.ComparisonPage}. */
package dev.sotto.app.compare.page;

/** Who changes aliases, and how: start with {@link dev.sotto.app.alias.AliasEditor}. */
package dev.sotto.app.alias;

/**
 * The table of all settings, in the order of the manual, and what is printed from it; start with
 * {@link dev.sotto.config.key.ConfigKeys}.
 */
package dev.sotto.config.key;

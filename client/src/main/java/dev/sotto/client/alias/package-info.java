/**
 * Which versions the aliases of an application name; start with {@link
 * dev.sotto.client.alias.AliasReader}.
 */
package dev.sotto.client.alias;

/** How commands know which learner they are about: contexts, and what wins over what. */
package dev.sotto.app.context;

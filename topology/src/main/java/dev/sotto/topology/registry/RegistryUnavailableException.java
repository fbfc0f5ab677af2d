package dev.sotto.topology.registry;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.TransientException;

/** A registry did not say what an id means. The record that names it has not been read. */
public final class RegistryUnavailableException extends TransientException {
  private static final long serialVersionUID = 1L;

  RegistryUnavailableException(String message) {
    super(FailureKind.UNREACHABLE, message);
  }
}

package dev.sotto.topology.live;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.TransientException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A broker that does not answer for a while ends no wait. JUnit finds it as a service. */
public final class SilentBrokers implements BeforeAllCallback {
  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.ignoreExceptionsByDefaultMatching(failed ->
        failed instanceof TransientException silent && silent.kind() == FailureKind.UNREACHABLE);
  }
}

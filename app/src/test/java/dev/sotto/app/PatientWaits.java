package dev.sotto.app;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.TransientException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What tests wait for may take long on a busy machine: a deadline here ends what hangs, and measures
 * nothing. An exception in some thread, such as a stream thread that Streams replaces, ends no wait
 * either, nor does a broker that does not answer for a while. JUnit finds it for every test of this module, where the build lets it look.
 */
public final class PatientWaits implements BeforeAllCallback {
  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(Duration.ofMinutes(2));
    Awaitility.setDefaultPollDelay(Duration.ZERO);
    Awaitility.setDefaultPollInterval(Duration.ofMillis(20));
    Awaitility.doNotCatchUncaughtExceptionsByDefault();
    Awaitility.ignoreExceptionsByDefaultMatching(failed ->
        failed instanceof TransientException silent && silent.kind() == FailureKind.UNREACHABLE);
  }
}

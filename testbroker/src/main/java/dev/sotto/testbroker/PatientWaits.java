package dev.sotto.testbroker;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What tests wait for may take long on a busy machine: a deadline here ends what hangs, and
 * measures nothing. An exception in some thread, such as a stream thread that Streams replaces,
 * ends no wait either. JUnit finds it for every test of a module that has brokers, where the build
 * lets it look.
 */
public final class PatientWaits implements BeforeAllCallback {
  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(Duration.ofMinutes(2));
    Awaitility.setDefaultPollDelay(Duration.ZERO);
    Awaitility.setDefaultPollInterval(Duration.ofMillis(20));
    Awaitility.doNotCatchUncaughtExceptionsByDefault();
  }
}

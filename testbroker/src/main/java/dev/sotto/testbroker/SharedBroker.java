package dev.sotto.testbroker;

import dev.sotto.broker.BrokerSettings;
import dev.sotto.broker.EmbeddedBroker;
import java.util.Map;

/**
 * The one broker of a process of tests: started by the first class that asks for it, stopped when
 * the process ends. It gives up what a killed process has begun within a second of its timeout, and
 * allows sessions of a second.
 */
public final class SharedBroker {
  private static final Map<String, String> SETTINGS = Map.of(
      "transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000",
      "group.min.session.timeout.ms", "1000");

  private SharedBroker() {}

  /** The holder starts it when it is first looked at. */
  private static final class Holder {
    static final EmbeddedBroker BROKER =
        EmbeddedBroker.start(BrokerSettings.temporary().withProperties(SETTINGS));

    static {
      Runtime.getRuntime().addShutdownHook(new Thread(BROKER::close, "shared-broker-stop"));
    }

    private Holder() {}
  }

  /** The running broker. Whoever asks for it must not stop it. */
  public static EmbeddedBroker get() {
    return Holder.BROKER;
  }
}

package dev.sotto.topology.registry;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether one waits for a registry, and since when. Safe for use by several threads: it is over
 * when the registry has answered any of them.
 */
public final class RegistryWait {
  private static final Logger LOG = LoggerFactory.getLogger(RegistryWait.class);
  private static final long QUIET = TimeUnit.SECONDS.toNanos(30);

  /** Nobody asks any more: another instance has taken over what made this one ask. */
  private static final long FORGOTTEN = TimeUnit.MINUTES.toNanos(2);

  private final URI url;
  private final LongSupplier nanos;
  private boolean waits;
  private long began;
  private long said;
  private long asked;

  /**
   * A wait that lasts.
   *
   * @param url of the registry
   */
  public record Waiting(URI url, Duration age) {
    /** What is reported of it. */
    public String sentence() {
      return "waiting for the schema registry at " + url + " for " + age.toSeconds()
          + " s; no event is lost, and it goes on by itself when the registry answers."
          + " The log inside says what it answers now";
    }
  }

  RegistryWait(URI url, LongSupplier nanos) {
    this.url = url;
    this.nanos = nanos;
  }

  /**
   * It did not answer, or nothing that decides.
   *
   * @param what was asked, and what follows, as a sentence without its end
   * @return whether it was reported this time
   */
  synchronized boolean failed(String what, String reason) {
    long now = nanos.getAsLong();
    if (!waits || now - asked > FORGOTTEN) {
      began = now;
    }
    boolean tells = !waits || now - said > QUIET;
    if (tells) {
      LOG.warn("waiting for the schema registry {} {}: {}", url, what, reason);
      said = now;
    }
    waits = true;
    asked = now;
    return tells;
  }

  /** It has answered. */
  synchronized void answered() {
    if (waits) {
      LOG.info("the schema registry {} answers again", url);
    }
    waits = false;
  }

  /** The wait, if there is one. */
  public synchronized Optional<Waiting> now() {
    long now = nanos.getAsLong();
    return waits && now - asked <= FORGOTTEN
        ? Optional.of(new Waiting(url, Duration.ofNanos(now - began)))
        : Optional.empty();
  }
}

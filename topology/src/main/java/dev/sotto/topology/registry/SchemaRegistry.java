package dev.sotto.topology.registry;

import dev.sotto.serdes.registry.RegisteredSchema;
import dev.sotto.serdes.registry.SchemaId;
import dev.sotto.serdes.registry.SchemaIdFile;
import dev.sotto.serdes.registry.WriterSchemas;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.avro.Schema;

/**
 * The schemas of one configuration, shared by its threads. What was answered once is kept, in
 * memory and in the file if there is one, and never asked again.
 *
 * <p>Where a registry does not answer, it is asked again for a bounded time, below which a stream
 * thread keeps its membership and its transaction. Then the thread gives up the record unread, and
 * reads it again when it is replaced.
 */
public final class SchemaRegistry implements WriterSchemas {
  /** Half of the default of {@code transaction.timeout.ms}. */
  public static final Duration WAIT = Duration.ofSeconds(5);

  private static final long FIRST_PAUSE = 100;
  private static final long LONGEST_PAUSE = 1_000;

  private final Optional<RegistryClient> client;
  private final Optional<SchemaIdFile> file;
  private final Duration wait;
  private final Map<SchemaId, RegisteredSchema> known;
  private final Optional<RegistryWait> waits;

  /**
   * Schemas of a registry, of a file, or of both.
   *
   * @param client empty where only the file counts
   * @param wait how long one call may take, about
   * @throws IOException where there is a file that cannot be read
   * @throws IllegalArgumentException where it is damaged
   */
  public SchemaRegistry(Optional<RegistryClient> client, Optional<SchemaIdFile> file, Duration wait)
      throws IOException {
    this.client = client;
    this.file = file;
    this.wait = wait;
    this.waits = client.map(each -> new RegistryWait(each.url(), System::nanoTime));
    this.known = new ConcurrentHashMap<>(file.isPresent() ? file.get().read() : Map.of());
  }

  /** The Avro schemas that are known without asking. */
  public List<Schema> known() {
    return known.values().stream().flatMap(each -> each.schema().stream()).toList();
  }

  /** Whom it asks; empty where only the file counts. */
  public Optional<RegistryClient> client() {
    return client;
  }

  /** Whether a record waits for the registry's answer. */
  public Optional<RegistryWait.Waiting> waiting() {
    return waits.flatMap(RegistryWait::now);
  }

  @Override
  public Schema schema(int id) {
    return schema(SchemaId.of(id));
  }

  @Override
  public Schema schema(SchemaId id) {
    RegisteredSchema found = known.get(id);
    if (found == null) {
      found = keep(client.isPresent() ? ask(client.get(), id) : refuse(id));
    }
    return found.schema().orElse(null);
  }

  private RegisteredSchema refuse(SchemaId id) {
    throw new SottoException(
        FailureKind.CONFIGURATION,
        "a record names schema id " + id + ", which is not in " + file.get().path()
            + ", and no registry can be asked: add its line, give events.registry.url, or set such"
            + " records aside with " + new RegisteredSchema(id, Optional.empty()).line());
  }

  private RegisteredSchema ask(RegistryClient registry, SchemaId id) {
    long end = System.nanoTime() + wait.toNanos();
    long pause = FIRST_PAUSE;
    while (true) {
      try {
        RegisteredSchema answer = registry.ask(id);
        waits.ifPresent(RegistryWait::answered);
        return answer;
      } catch (IllegalArgumentException unusable) {
        waits.ifPresent(RegistryWait::answered);
        throw new SottoException(
            FailureKind.CONFIGURATION,
            "schema id " + id + " of " + registry.url() + " cannot be used: "
                + unusable.getMessage()
                + ". Nothing is set aside. State it by a line of events.registry.file",
            unusable);
      } catch (IOException none) {
        String reason = RegistryClient.reason(none);
        waits.ifPresent(each -> each.failed(
            "to say what schema id " + id + " is; the record stays unread until it answers",
            reason));
        if (System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pause) >= end) {
          throw unavailable(registry, id, reason);
        }
        pause = sleep(registry, id, pause);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw unavailable(registry, id, "interrupted");
      }
    }
  }

  private static long sleep(RegistryClient registry, SchemaId id, long pause) {
    try {
      Thread.sleep(pause);
      return Math.min(LONGEST_PAUSE, 2 * pause);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw unavailable(registry, id, "interrupted");
    }
  }

  private static RegistryUnavailableException unavailable(
      RegistryClient registry, SchemaId id, String reason) {
    return new RegistryUnavailableException("the schema registry " + registry.url()
        + " does not say what schema id " + id + " is: " + reason
        + ". The record stays unread; it is read when the registry answers");
  }

  /** The first answer counts, also where two threads asked at once. */
  private synchronized RegisteredSchema keep(RegisteredSchema answer) {
    RegisteredSchema before = known.get(answer.id());
    if (before != null) {
      return before;
    }
    if (file.isPresent()) {
      try {
        file.get().add(answer);
      } catch (IOException unwritable) {
        // Not used either: after a restart the registry might answer otherwise.
        throw new SottoException(
            FailureKind.CONFIGURATION,
            "events.registry.file must name a file that can be written, but "
                + file.get().path() + " cannot: " + unwritable.getMessage(),
            unwritable);
      }
    }
    known.put(answer.id(), answer);
    return answer;
  }
}

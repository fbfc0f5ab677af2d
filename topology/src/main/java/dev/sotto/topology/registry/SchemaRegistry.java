package dev.sotto.topology.registry;

import dev.sotto.serdes.registry.RecordPlace;
import dev.sotto.serdes.registry.RecordsSetAside;
import dev.sotto.serdes.registry.RegisteredSchema;
import dev.sotto.serdes.registry.SchemaId;
import dev.sotto.serdes.registry.SchemaIdFile;
import dev.sotto.serdes.registry.WriterSchemas;
import dev.sotto.serdes.schema.WriterSchema;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schemas of one configuration, shared by its threads. A schema that was answered once is kept,
 * in memory and in the file if there is one, and never asked for again. That there is none is kept
 * for the record that was read, and for no other: the next one that names the id asks again, so
 * that what becomes of it does not depend on whoever named the id before.
 *
 * <p>Where a registry does not answer, it is asked again for a bounded time, below which a stream
 * thread keeps its membership and its transaction. Then the thread gives up the record unread, and
 * reads it again when it is replaced.
 *
 * <p>An id is a part of what a record holds: only the log inside names one.
 */
public final class SchemaRegistry implements WriterSchemas {
  /** Half of the default of {@code transaction.timeout.ms}. */
  public static final Duration WAIT = Duration.ofSeconds(5);

  private static final long FIRST_PAUSE = 100;
  private static final long LONGEST_PAUSE = 1_000;
  private static final long QUIET = TimeUnit.SECONDS.toNanos(30);

  /** Tells what records name. */
  private static final Logger INSIDE = LoggerFactory.getLogger("inside.schemas");

  private final Optional<RegistryClient> client;
  private final Optional<SchemaIdFile> file;
  private final RecordsSetAside aside;
  private final Duration wait;
  private final Map<SchemaId, RegisteredSchema> known;
  private final Optional<RegistryWait> waits;
  private final AtomicLong logged = new AtomicLong(System.nanoTime() - 2 * QUIET);

  /**
   * Schemas of a registry, of a file, or of both.
   *
   * @param client empty where only the file counts
   * @param aside the records for which there was no schema
   * @param wait how long one call may take, about
   * @throws IOException where there is a file that cannot be read
   * @throws IllegalArgumentException where it is damaged
   */
  public SchemaRegistry(
      Optional<RegistryClient> client,
      Optional<SchemaIdFile> file,
      RecordsSetAside aside,
      Duration wait)
      throws IOException {
    this.client = client;
    this.file = file;
    this.aside = aside;
    this.wait = wait;
    this.waits = client.map(each -> new RegistryWait(each.url(), System::nanoTime));
    this.known = new ConcurrentHashMap<>(file.isPresent() ? file.get().read() : Map.of());
  }

  /** The same, with the records without a schema in a file beside that of the schemas. */
  public SchemaRegistry(Optional<RegistryClient> client, Optional<SchemaIdFile> file, Duration wait)
      throws IOException {
    this(client, file, new RecordsSetAside(file.map(each -> asideOf(each.path()))), wait);
  }

  /** Where the records without a schema are kept beside a file of schemas. */
  static Path asideOf(Path file) {
    return file.resolveSibling(file.getFileName() + ".aside");
  }

  /** The schemas that are known without asking. */
  public List<WriterSchema> known() {
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
  public WriterSchema schema(int id) {
    return schema(SchemaId.of(id));
  }

  @Override
  public WriterSchema schema(SchemaId id) {
    return schema(id, RecordPlace.NONE);
  }

  @Override
  public WriterSchema schema(SchemaId id, RecordPlace place) {
    RegisteredSchema found = known.get(id);
    if (found == null && client.isPresent()) {
      found = ask(client.get(), id).map(this::keep).orElse(null);
    }
    if (found == null) {
      setAside(id, place);
      return null;
    }
    if (found.schema().isEmpty()) {
      unusable(
          id,
          found.fault() + "; a line of events.registry.file may state it with everything in it");
    }
    return found.schema().orElse(null);
  }

  @Override
  public boolean isSetAside(RecordPlace place) {
    return aside.has(place);
  }

  @Override
  public void unusable(SchemaId id, String fault) {
    tell(id, "cannot be used, since " + fault);
  }

  private void setAside(SchemaId id, RecordPlace place) {
    try {
      aside.add(place);
    } catch (IOException unwritable) {
      // Nothing is decided then: after a restart the registry might answer otherwise.
      throw unwritable("beside it a file of what could not be read", unwritable);
    }
    tell(
        id,
        client.isPresent()
            ? "is not in " + client.get().url()
            : "is not in " + file.map(each -> each.path().toString()).orElse("any file")
                + ", and no registry can be asked: add its line, or give events.registry.url");
  }

  /** Once in a while: each such record is among the dead letters. */
  private void tell(SchemaId id, String fault) {
    long now = System.nanoTime();
    long before = logged.get();
    if (now - before > QUIET && logged.compareAndSet(before, now)) {
      INSIDE.warn(
          "schema id {} {}. A record that names it is a dead letter, and perhaps others since",
          id,
          fault);
    }
  }

  private Optional<RegisteredSchema> ask(RegistryClient registry, SchemaId id) {
    long end = System.nanoTime() + wait.toNanos();
    long pause = FIRST_PAUSE;
    while (true) {
      try {
        Optional<RegisteredSchema> answer = registry.ask(id);
        waits.ifPresent(RegistryWait::answered);
        return answer;
      } catch (IOException none) {
        String reason = RegistryClient.reason(none);
        if (waits
            .orElseThrow()
            .failed("to say what a schema is; the record stays unread until it answers", reason)) {
          INSIDE.warn(
              "waiting for the schema registry to say what schema id {} is: {}", id, reason);
        }
        if (System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pause) >= end) {
          throw unavailable(registry, reason);
        }
        pause = sleep(registry, pause);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw unavailable(registry, "interrupted");
      }
    }
  }

  private static long sleep(RegistryClient registry, long pause) {
    try {
      Thread.sleep(pause);
      return Math.min(LONGEST_PAUSE, 2 * pause);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw unavailable(registry, "interrupted");
    }
  }

  private static RegistryUnavailableException unavailable(RegistryClient registry, String reason) {
    return new RegistryUnavailableException("the schema registry " + registry.url()
        + " does not say what the schema of a record is: " + reason
        + ". The record stays unread; it is read when the registry answers. The log inside has the"
        + " schema's id");
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
        throw unwritable(file.get().path().toString(), unwritable);
      }
    }
    known.put(answer.id(), answer);
    return answer;
  }

  private static SottoException unwritable(String what, IOException cause) {
    return new SottoException(
        FailureKind.CONFIGURATION,
        "events.registry.file must name a file that can be written, but " + what + " cannot: "
            + cause.getMessage(),
        cause);
  }
}

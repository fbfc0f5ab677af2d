package dev.sotto.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real single-node KRaft broker, with its controller, in this process: Kafka's own artifacts,
 * started as its launcher would. It listens on the loopback address only and creates no topics by
 * itself.
 *
 * <p>It never ends the process. If Kafka wants to, because of a fatal fault, the broker is stopped
 * instead, and {@link #failure()} says why; clients see a broker that is gone.
 *
 * <p>Whoever starts it closes it; there is no shutdown hook. Safe for use by several threads.
 */
public final class EmbeddedBroker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedBroker.class);
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final int ATTEMPTS = 5;

  /** Below the folder: the port of its last broker, so that clients find the next one. */
  private static final String PORT_FILE = "port";

  private final Path folder;
  private final boolean deleteFolder;
  private final BrokerProcess process;
  private final int port;
  private final OptionalInt formerPort;
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();

  private EmbeddedBroker(
      Path folder, boolean deleteFolder, BrokerProcess process, int port, OptionalInt formerPort) {
    this.folder = folder;
    this.deleteFolder = deleteFolder;
    this.process = process;
    this.port = port;
    this.formerPort = formerPort;
  }

  /** Starts a broker in a fresh temporary folder, with default settings. */
  public static EmbeddedBroker start() {
    return start(BrokerSettings.temporary());
  }

  /**
   * Starts a broker and returns when it takes requests, after 3 to 5 s on a small machine.
   *
   * @throws IllegalStateException if it does not start; the cause is Kafka's own
   */
  public static EmbeddedBroker start(BrokerSettings settings) {
    boolean temporary = settings.folder().isEmpty();
    Path folder = temporary ? temporaryFolder() : settings.folder().get().toAbsolutePath();
    boolean deleteFolder = temporary && !settings.keep();
    OptionalInt former = settings.port().isPresent() ? OptionalInt.empty() : formerPort(folder);
    boolean again = former.isPresent() && BrokerSettings.isFree(former.getAsInt());
    try {
      for (int attempt = 1; ; attempt++) {
        int clientPort =
            settings.port().orElseGet(again && attempt == 1 ? former::getAsInt : settings.ports());
        int controllerPort = settings.ports().getAsInt();
        while (controllerPort == clientPort) {
          controllerPort = settings.ports().getAsInt();
        }
        try {
          return start(settings, folder, deleteFolder, clientPort, controllerPort, former);
        } catch (RuntimeException e) {
          if (attempt == ATTEMPTS || !isBindFailure(e)) {
            throw new IllegalStateException(
                "the embedded broker must start, but did not (attempt " + attempt + ")", e);
          }
          LOG.info("Port {} or {} was taken: trying again", clientPort, controllerPort);
        }
      }
    } catch (RuntimeException e) {
      if (deleteFolder) {
        delete(folder);
      }
      throw e;
    }
  }

  private static EmbeddedBroker start(
      BrokerSettings settings,
      Path folder,
      boolean deleteFolder,
      int port,
      int controllerPort,
      OptionalInt former) {
    Path logs = folder.resolve("logs");
    var properties = BrokerConfig.properties(logs, port, controllerPort, settings.properties());
    BrokerConfig.format(logs, properties);
    var process = BrokerProcess.start("sotto-broker-" + COUNT.incrementAndGet(), properties);
    OptionalInt lost =
        former.isPresent() && former.getAsInt() != port ? former : OptionalInt.empty();
    var broker = new EmbeddedBroker(folder, deleteFolder, process, port, lost);
    process.whenFailed(broker::close);
    keepPort(folder, port);
    LOG.info("Embedded broker at {}, logs in {}", broker.bootstrapServers(), folder);
    return broker;
  }

  /** Where clients connect: {@code host:port}, the value for {@code bootstrap.servers}. */
  public String bootstrapServers() {
    return BrokerConfig.HOST + ":" + port;
  }

  /** The port of the folder's broker before, where this one had to take another. */
  public OptionalInt formerPort() {
    return formerPort;
  }

  private static OptionalInt formerPort(Path folder) {
    try {
      String port = Files.readString(folder.resolve(PORT_FILE)).strip();
      return port.matches("[1-9][0-9]{0,4}")
          ? OptionalInt.of(Integer.parseInt(port))
          : OptionalInt.empty();
    } catch (IOException none) {
      return OptionalInt.empty();
    }
  }

  private static void keepPort(Path folder, int port) {
    try {
      Files.writeString(folder.resolve(PORT_FILE), port + "\n");
    } catch (IOException e) {
      LOG.warn("The broker's port cannot be kept for its next start: {}", e.toString());
    }
  }

  /** Where the broker keeps its logs. */
  public Path folder() {
    return folder;
  }

  /** The fatal fault because of which the broker stopped, if there was one. */
  public Optional<RuntimeException> failure() {
    return process.failure();
  }

  /**
   * Stops the broker, and deletes its folder if that was a temporary one not to be kept. A second
   * call waits for the first and does nothing more.
   */
  @Override
  public void close() {
    if (!closing.compareAndSet(false, true)) {
      closed.join();
      return;
    }
    try {
      process.stop();
      if (deleteFolder) {
        delete(folder);
      }
    } finally {
      closed.complete(null);
    }
  }

  private static boolean isBindFailure(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof BindException) {
        return true;
      }
    }
    return false;
  }

  private static Path temporaryFolder() {
    try {
      return Files.createTempDirectory("sotto-broker-" + ProcessHandle.current().pid() + "-");
    } catch (IOException e) {
      throw new UncheckedIOException("the temporary folder must be writable, but was not", e);
    }
  }

  private static void delete(Path folder) {
    try {
      Files.walkFileTree(folder, new Deletion());
    } catch (IOException e) {
      LOG.warn("Could not delete the temporary folder {}: {}", folder, e.toString());
    }
  }

  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      return FileVisitResult.CONTINUE; // gone already
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, IOException e) throws IOException {
      Files.deleteIfExists(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}

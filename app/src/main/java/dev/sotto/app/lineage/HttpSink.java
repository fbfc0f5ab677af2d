package dev.sotto.app.lineage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sotto.app.predict.WholeFile;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.TransientException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An endpoint of OpenLineage: one event in each POST. How far they have gone stands in a file,
 * which is replaced once the endpoint has taken all events of an entry: where a process is killed
 * between the two, the events of one entry are sent twice, with equal bytes.
 */
final class HttpSink implements LineageSink {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final URI endpoint;
  private final Optional<String> token;
  private final Path position;
  private final String ledger;
  private final LineagePlaces places;
  private final HttpClient client = HttpClient.newBuilder()
      .connectTimeout(PATIENCE)
      .followRedirects(HttpClient.Redirect.NEVER)
      .build();

  /**
   * An endpoint.
   *
   * @param token sent as {@code Authorization: Bearer}
   * @param position the file with what has been sent; there need be none yet
   */
  HttpSink(URI endpoint, Optional<String> token, Path position, String ledger) {
    this.ledger = ledger;
    this.places = new LineagePlaces(ledger);
    this.endpoint = endpoint;
    this.token = token;
    this.position = position;
    if (Files.exists(position)) {
      read();
    }
  }

  private void read() {
    try {
      JsonNode held = JSON.readTree(position.toFile());
      String before =
          held.path("topic").asText() + " to " + held.path("endpoint").asText();
      String now = ledger + " to " + endpoint;
      if (!before.equals(now)) {
        throw new SottoException(
            FailureKind.USAGE,
            "--position must name a file of its own for each ledger and endpoint, but " + position
                + " is that of " + before + ", not of " + now);
      }
      held.path("entries").forEach(each -> places.add(LineagePlaces.place(each)));
    } catch (IOException | IllegalArgumentException broken) {
      throw new SottoException(
          FailureKind.USAGE,
          "--position must name a file that sotto lineage wrote, or none, but " + position
              + " is another: " + broken.getMessage(),
          broken);
    }
  }

  @Override
  public Map<Integer, LedgerPlace> places() {
    return places.all();
  }

  @Override
  public void write(List<EntryEvents> entries) {
    for (EntryEvents each : entries) {
      each.json().forEach(this::send);
      places.add(each.place());
      save();
    }
  }

  private void send(String event) {
    HttpRequest.Builder request = HttpRequest.newBuilder(endpoint)
        .timeout(PATIENCE)
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(event));
    token.ifPresent(each -> request.header("Authorization", "Bearer " + each));
    int status;
    try {
      status =
          client.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
    } catch (IOException unreachable) {
      throw new TransientException(
          FailureKind.UNREACHABLE,
          endpoint + " takes no events: " + unreachable.getClass().getSimpleName() + " "
              + unreachable.getMessage(),
          unreachable);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new SottoException(FailureKind.UNEXPECTED, "interrupted while sending", stop);
    }
    if (status / 100 == 2) {
      return;
    }
    String answered = endpoint + " answered " + status;
    if (status >= 500 || status == 408 || status == 429) {
      throw new TransientException(FailureKind.UNREACHABLE, answered);
    }
    throw status == 401 || status == 403
        ? new SottoException(FailureKind.FORBIDDEN, answered + ": check --token-file")
        : new SottoException(
            FailureKind.USAGE,
            answered + " to an event: --to must name where OpenLineage events go, such as"
                + " http://HOST:PORT/api/v1/lineage");
  }

  private void save() {
    ObjectNode all = JSON.createObjectNode();
    all.put("topic", ledger).put("endpoint", endpoint.toString());
    ArrayNode entries = all.putArray("entries");
    places
        .all()
        .values()
        .forEach(each -> entries
            .addObject()
            .put("partition", each.partition())
            .put("sequence", each.sequence())
            .put("hash", each.hash()));
    try {
      WholeFile.write(position, JSON.writeValueAsBytes(all));
    } catch (IOException unwritable) {
      throw new SottoException(
          FailureKind.USAGE,
          "--position must name a file that can be written, but " + position + " cannot: "
              + unwritable.getMessage(),
          unwritable);
    }
  }

  @Override
  public void close() {}
}

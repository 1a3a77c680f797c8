import { useEffect, useState } from "preact/hooks";
import { fetchReport, fetchReports, type Report, reportAddress } from "../api";
import { follow } from "../parts/route";
import { say } from "../words";

const DIGITS = 4;
const DEEPEST = 3;

/** Reports in the folder that the server was started with. Pages are shown in a frame that runs their own script and reaches nothing else. */
export function StudiesPage({ id }: { id: string }) {
  const [reports, setReports] = useState<Report[] | null>(null);
  const [wrong, setWrong] = useState("");
  useEffect(() => { fetchReports().then(setReports, (problem: Error) => setWrong(problem.message)); }, []);
  const chosen = reports?.find((report) => report.id === id);
  return (
    <main class="studies" id="content">
      <h1>{say("studies")}</h1>
      {wrong && <p class="wrong" role="alert">{wrong}</p>}
      {reports?.some((report) => report.sample) && <p class="note sample">{say("samples")}</p>}
      {reports?.length === 0 && <p class="note">{say("noReports")}</p>}
      <ul class="reports">{reports?.map((report) => (
        <li key={report.id}><a href={`/studies/${report.id}`} onClick={follow} aria-current={report.id === id ? "page" : undefined}><b>{report.title}</b> <span>{report.title === report.name ? "" : report.name}</span> <time>{new Date(1000 * report.changed_at).toLocaleDateString()}</time></a></li>
      ))}</ul>
      {chosen?.kind === "page" && <section><p><a href={reportAddress(chosen.id)} target="_blank" rel="noreferrer">{say("openPage")}</a></p><iframe key={chosen.id} title={chosen.title} sandbox="allow-scripts allow-popups" src={reportAddress(chosen.id)} /></section>}
      {chosen?.kind === "data" && <Data key={chosen.id} report={chosen} />}
    </main>
  );
}

function Data({ report }: { report: Report }) {
  const [data, setData] = useState<unknown>(undefined);
  const [wrong, setWrong] = useState("");
  useEffect(() => { fetchReport(report.id).then(setData, (problem: Error) => setWrong(problem.message)); }, []);
  return <section class="panel data"><h2>{report.title}</h2>{wrong && <p class="wrong" role="alert">{wrong}</p>}{data !== undefined && <Value value={data} depth={0} />}</section>;
}

type Row = Record<string, unknown>;
const isRow = (value: unknown): value is Row => typeof value === "object" && value !== null && !Array.isArray(value);
const isInterval = (value: unknown): value is { value: number; low: number; high: number } => isRow(value) && ["value", "low", "high"].every((key) => typeof value[key] === "number");
const write = (value: number) => (Math.abs(value) < 1e-9 ? "0" : Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(DIGITS))));

const isPlain = (value: unknown) => value === null || typeof value !== "object";
/** An object of objects with figures: rows by name. */
const isMatrix = (value: Row) => Object.keys(value).length > 1 && Object.values(value).every((row) => isRow(row) && !isInterval(row) && Object.values(row).every((each) => isPlain(each) || isInterval(each)));

/** Any JSON as people read it: lists of like things as tables, figures with their intervals, the rest as a list. */
function Value({ value, depth }: { value: unknown; depth: number }) {
  if (isInterval(value)) return <>{write(value.value)} <small>{write(value.low)} – {write(value.high)}</small></>;
  if (typeof value === "number") return <>{write(value)}</>;
  if (value === null || typeof value !== "object") return <>{value === null ? "–" : String(value)}</>;
  if (depth > DEEPEST) return <small>…</small>;
  if (Array.isArray(value)) {
    if (value.length > 0 && value.every(isRow)) return <Table rows={value as Row[]} depth={depth} />;
    return <>{value.slice(0, 60).map((each, at) => <span key={at} class="item"><Value value={each} depth={depth + 1} />{at < value.length - 1 ? ", " : ""}</span>)}{value.length > 60 && "…"}</>;
  }
  if (depth > 0 && Object.values(value).every(isPlain)) return <>{Object.entries(value).map(([key, each]) => (key === "kind" ? String(each) : `${key.replaceAll("_", " ")} ${typeof each === "number" ? write(each) : String(each)}`)).join(" · ")}</>;
  if (isMatrix(value as Row)) return <Table rows={Object.entries(value).map(([name, row]) => ({ "": name, ...(row as Row) }))} depth={depth} />;
  return <dl>{Object.entries(value).map(([key, each]) => <div key={key}><dt>{key.replaceAll("_", " ")}</dt><dd><Value value={each} depth={depth + 1} /></dd></div>)}</dl>;
}

function Table({ rows, depth }: { rows: Row[]; depth: number }) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={columns.join(", ")}><table><thead><tr>{columns.map((column) => <th key={column}>{column.replaceAll("_", " ")}</th>)}</tr></thead>
      <tbody>{rows.slice(0, 500).map((row, at) => <tr key={at}>{columns.map((column) => <td key={column}>{row[column] === undefined ? "" : <Value value={row[column]} depth={depth + 1} />}</td>)}</tr>)}</tbody></table></div>
  );
}

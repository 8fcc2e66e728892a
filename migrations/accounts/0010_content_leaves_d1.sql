-- Documents and their search index are files that are deployed with the Worker.
DROP TABLE content_state;
DROP TABLE documents;
DROP TABLE passages;
DROP TABLE passages_fts;
DROP TABLE content_terms;
DROP TABLE latent_lists;
DROP TABLE ingest_lock;
DROP TABLE likeness_floors;
